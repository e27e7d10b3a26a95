/** The last hour of an app in `describe`. */
import { formatCpu, formatMemory, formatRate, sparkline } from '../../show/quantity.js';

/** @import { ShowFeature } from '../../show/features.js' */

/** Of so many steps, one is shown: a line has 80 columns. */
const EVERY = 8;

/** @type {[label: string, figure: 'cpu' | 'memory' | 'requestsPerSecond' | 'errorsPerSecond', format: (value: number) => string][]} */
const ROWS = [
  ['cpu', 'cpu', formatCpu],
  ['memory', 'memory', formatMemory],
  ['requests/s', 'requestsPerSecond', formatRate],
  ['5xx/s', 'errorsPerSecond', formatRate],
];

/** @type {ShowFeature} */
export const pastHour = {
  section({ pastHour }) {
    const { workers = [] } = pastHour ?? {};
    /** @type {[string, string | false][]} */
    const facts = ROWS.map(([label, figure, format]) => {
      const values = sumsOf(workers.map((worker) => worker[figure]));
      const high = Math.max(...values.map(Number));
      const shown = values.filter((_, index) => (values.length - 1 - index) % EVERY === 0);
      return [label, high > 0 && `${sparkline(shown, shown.length, high)} up to ${format(high)}`];
    });
    return facts.some(([, text]) => text) ? { title: 'Last hour', facts } : null;
  },
};

/** Of all workers, from when something is known. @param {(number | null)[][]} lists @returns {(number | null)[]} */
function sumsOf(lists) {
  const sums = (lists[0] ?? []).map((_, index) =>
    lists.reduce(
      (sum, { [index]: value }) => (value === null ? sum : Number(sum) + value),
      /** @type {number | null} */ (null),
    ),
  );
  return sums.slice(sums.findIndex((sum) => sum !== null));
}
