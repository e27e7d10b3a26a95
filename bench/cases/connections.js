/** What a new connection costs under each policy, and a request on a connection that is kept. */
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { ab } from '../comparison/load/ab.js';
import { programOf, serving, underLoad } from '../comparison/serving.js';

/** @import { Case } from '../comparison/types.js' */

const CLIENTS = 50;
/** Until code is compiled and caches are filled. */
const WARM_UP_SECONDS = 1;
const LOADS = {
  'a connection for each request': ab({ clients: CLIENTS }),
  'kept connections': ab({ clients: CLIENTS, keepsConnections: true }),
};

/** @type {Case} */
const connections = {
  title: 'Light requests on new and on kept connections',
  candidates: ['single process', ...PEERS, ...POLICIES],
  rounds: 5,
  seconds: 8,
  drawn: 'perSecond',
  figures: [
    { key: 'perSecond', title: 'requests/s', better: 'more', isRatio: true },
    { key: 'cpuUs', title: 'CPU µs/request', better: 'less', isRatio: true },
    { key: 'p99Ms', title: 'p99 ms', better: 'less' },
    { key: 'failed', title: 'failed', better: 'less' },
  ],
  measure: (conditions) =>
    serving(conditions, { script: programOf('hello.cjs') }, async ({ url, root }) => {
      const measured = [];
      for (const [variant, load] of Object.entries(LOADS)) {
        await load(url, WARM_UP_SECONDS);
        const figures = await underLoad(load, { url, root, seconds: conditions.seconds });
        measured.push({ variant, figures });
      }
      return measured;
    }),
};

export default connections;
