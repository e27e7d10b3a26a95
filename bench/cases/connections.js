/** What a new connection costs under each policy, and a request on a connection that is kept. */
import { fileURLToPath } from 'node:url';
import { PEERS, POLICIES } from '../comparison/candidates.js';
import { ab } from '../comparison/load/ab.js';
import { serving, underLoad, warmUp } from '../comparison/serving.js';

/** @import { Case } from '../comparison/types.js' */

const HELLO = fileURLToPath(new URL('../programs/hello.cjs', import.meta.url));
const CLIENTS = 50;
const LOADS = {
  'a connection for each request': ab({ clients: CLIENTS }),
  'kept connections': ab({ clients: CLIENTS, keepsConnections: true }),
};

/** @type {Case} */
const connections = {
  section: 'Connections and requests',
  title: 'Light requests on new and on kept connections',
  about: `Express answers \`Hello World!\`. \`ab -c ${CLIENTS}\`, without and with \`-k\`. Two workers.`,
  candidates: ['single process', ...PEERS, ...POLICIES],
  rounds: 5,
  seconds: 11,
  figures: [
    { key: 'perSecond', title: 'requests/s', better: 'more', isRatio: true, isDrawn: true },
    { key: 'cpuUs', title: 'CPU µs/request', better: 'less', isRatio: true, isDrawn: true },
    { key: 'p99Ms', title: 'p99 ms', better: 'less' },
    { key: 'failed', title: 'failed', better: 'less' },
  ],
  measure: (conditions) =>
    serving(conditions, { script: HELLO }, async (served) => {
      const measured = [];
      for (const [variant, load] of Object.entries(LOADS)) {
        await warmUp(load, served.url);
        const { seconds } = conditions;
        const { perSecond, cpuUs, p99Ms, failed } = await underLoad(load, { ...served, seconds });
        measured.push({ variant, figures: { perSecond, cpuUs, p99Ms, failed } });
      }
      return measured;
    }),
};

export default connections;
