/** The last hour of an app in `describe`. */
import { pastFrames } from '../../show/past.js';
import {
  formatCpu,
  formatInteger,
  formatMemory,
  formatRate,
  sparkline,
} from '../../show/quantity.js';
import { figuresOf } from '../../show/rows.js';

/** @import { ShowFeature } from '../../show/features.js' */

/** Of so many steps, one is shown: a line has 80 columns. */
const EVERY = 8;

/** @type {[label: string, figure: 'cpu' | 'memory' | 'requestsPerSecond' | 'errors', format: (value: number) => string][]} */
const ROWS = [
  ['cpu', 'cpu', formatCpu],
  ['memory', 'memory', formatMemory],
  ['requests/s', 'requestsPerSecond', formatRate],
  ['5xx/min', 'errors', formatInteger],
];

/** @type {ShowFeature} */
export const pastHour = {
  section(app) {
    const frames = pastFrames(app.pastHour ? [app] : []).reverse();
    if (frames.length === 0) return null;
    const past = frames.map(({ at, apps: [{ workers }] }) => figuresOf(workers, at));
    /** @type {[string, string | false][]} */
    const facts = ROWS.map(([label, figure, format]) => {
      const values = past.map((each) => each[figure] ?? null);
      const high = Math.max(...values.map(Number));
      const shown = values.filter((_, index) => index % EVERY === 0).reverse();
      return [label, high > 0 && `${sparkline(shown, shown.length, high)} up to ${format(high)}`];
    });
    return { title: 'Last hour', facts };
  },
};
