/** Memory and descriptors of the daemon and of a primary over time. */
import { readFileSync, readdirSync } from 'node:fs';

/**
 * @typedef {object} Size of a process
 * @property {number} pid
 * @property {number} privateMb memory that it shares with no other process
 * @property {number} descriptors
 *
 * @typedef {{atS: number, daemon: Size, primary: Size}} Sample
 */

/** @param {number} pid @returns {Size} */
export function sizeOf(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const pages = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)];
  const kilobytes = pages.reduce((sum, [, number]) => sum + Number(number), 0);
  const descriptors = readdirSync(`/proc/${pid}/fd`).length;
  return { pid, privateMb: Math.round(kilobytes / 102.4) / 10, descriptors };
}

/**
 * By the least squares over the second half, since caches and buffers fill in the first.
 * @param {Sample[]} samples
 * @param {(sample: Sample) => number} of
 * @returns {number} growth in an hour
 */
export function growthPerHour(samples, of) {
  const half = samples.slice(Math.floor(samples.length / 2));
  const mean = (/** @type {number[]} */ values) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [times, sizes] = [half.map(({ atS }) => atS / 3600), half.map(of)];
  const [middle, level] = [mean(times), mean(sizes)];
  const spread = times.reduce((sum, time) => sum + (time - middle) ** 2, 0);
  const along = times.reduce((sum, time, at) => sum + (time - middle) * (sizes[at] - level), 0);
  return spread === 0 ? 0 : along / spread;
}
