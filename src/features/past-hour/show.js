/** The last hour of an app in `describe`. */
import { formatCpu, formatMemory, formatRate, sparkline } from '../../show/quantity.js';

/** @import { ShowFeature } from '../../show/features.js' */

/** Of so many steps, one is shown: a line has 80 columns. */
const EVERY = 8;

/** Fewer bars say nothing. */
const MIN_BARS = 3;

/** @type {[label: string, figure: 'cpu' | 'memory' | 'requestsPerSecond' | 'errorsPerSecond', format: (value: number) => string][]} */
const ROWS = [
  ['cpu', 'cpu', formatCpu],
  ['memory', 'memory', formatMemory],
  ['requests/s', 'requestsPerSecond', formatRate],
  ['5xx/s', 'errorsPerSecond', formatRate],
];

/** @type {ShowFeature} */
export const pastHour = {
  section({ pastHour, workers }) {
    // A blocked worker reports what it does only later.
    if (workers.some(({ status }) => status === 'unresponsive')) return null;
    const facts = ROWS.flatMap(([label, figure, format]) => {
      const values = sumsOf((pastHour?.workers ?? []).map((worker) => worker[figure]));
      const high = Math.max(...values.map(Number));
      const shown = values.filter((_, index) => (values.length - 1 - index) % EVERY === 0);
      if (!(high > 0) || shown.length < MIN_BARS) return [];
      /** @type {[string, string]} */
      const fact = [label, `${sparkline(shown, shown.length, high)} up to ${format(high)}`];
      return [fact];
    });
    return facts.length > 0 ? { title: 'Last hour', facts } : null;
  },
};

/** Of all workers, from when something is known. @param {(number | null)[][]} lists @returns {(number | null)[]} */
function sumsOf(lists) {
  const sums = (lists[0] ?? []).map((_, index) => {
    const known = lists.flatMap((list) => list[index] ?? []);
    return known.length > 0 ? known.reduce((sum, value) => sum + value) : null;
  });
  return sums.slice(sums.findIndex((sum) => sum !== null));
}
