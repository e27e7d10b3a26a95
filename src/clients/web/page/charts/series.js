/** The data of a chart: times and figures, with a gap where the page was closed. Pure. */

/**
 * @import { AlignedData } from 'uplot'
 * @import { Figures } from '../../shapes.js'
 */

/** Samples come once a second. */
const GAP_MS = 5000;

/**
 * @param {readonly number[]} times epoch ms
 * @param {readonly (Figures | null)[]} figures as many as there are times
 * @param {number[]} places of the figures in a sample
 * @param {number} from epoch ms of the first one to show
 * @param {number} to epoch ms
 * @returns {AlignedData} seconds, and a row for each place
 */
export function chartData(times, figures, places, from, to) {
  /** @type {number[]} */
  const seconds = [];
  /** @type {(number | null)[][]} */
  const rows = places.map(() => []);
  let last = Infinity;
  for (const [index, at] of times.entries()) {
    if (at < from || at > to) continue;
    if (at - last > GAP_MS) {
      seconds.push((last + 1) / 1000);
      for (const row of rows) row.push(null);
    }
    last = at;
    seconds.push(at / 1000);
    for (const [which, place] of places.entries())
      rows[which].push(figures[index]?.[place] ?? null);
  }
  return [seconds, ...rows];
}
