/** Does a slow request delay a fast one? */
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { ask } from '../comparison/load/ask.js';
import { programOf, serving } from '../comparison/serving.js';
import { quantile } from '../statistics.js';

/** @import { Case } from '../comparison/types.js' */

const PAIRS = 3;
const variant = 'GET /slow and GET /fast';

/** @type {Case} */
const slowAndFast = {
  title: 'A slow and a fast route at the same time',
  // A loop of 10⁹ steps instead of the article's 5·10⁹. One worker may accept both requests.
  candidates: ['single process', ...PEERS, ...POLICIES.filter((name) => !name.includes('sticky'))],
  rounds: 3,
  seconds: 8,
  figures: [
    { key: 'slowMs', title: 'slow ms', better: 'less' },
    { key: 'fastMs', title: 'fast ms', better: 'less' },
    { key: 'slowestFastMs', title: 'slowest fast ms', better: 'less' },
  ],
  measure: (conditions) =>
    serving(conditions, { script: programOf('expensive.cjs'), path: '/fast' }, async ({ port }) => {
      const [slow, fast] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
      for (let pair = 0; pair < PAIRS; pair++) {
        const asked = ['/slow', '/fast'].map((path) => ask({ port, path }));
        const [first, second] = await Promise.all(asked);
        slow.push(first.ms);
        fast.push(second.ms);
      }
      const [slowMs, fastMs] = [slow, fast].map((times) => quantile(times, 0.5));
      return [{ variant, figures: { slowMs, fastMs, slowestFastMs: Math.max(...fast) } }];
    }),
};

export default slowAndFast;
