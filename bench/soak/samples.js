/** Memory and descriptors of the daemon and of a primary over time. */
import { descriptorsOf } from '../../test/support/processes.js';
import { privateMegabytes } from '../processes.js';

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
  const privateMb = Math.round(privateMegabytes(pid) * 10) / 10;
  return { pid, privateMb, descriptors: descriptorsOf(pid).length };
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
