/** How often processes are woken up for a new connection, and what it costs, with few workers and with many. */
import { readFileSync, readdirSync } from 'node:fs';
import { processesOf } from '../../test/support/processes.js';
import { ab } from '../comparison/load/ab.js';
import { programOf, serving, underLoad } from '../comparison/serving.js';

/** @import { Case } from '../comparison/types.js' */

const WORKERS = [2, 16, 64];
const CLIENTS = [1, 8, 50, 1000];

/** @param {string} root of the candidate @returns {number} how often its threads gave up the CPU to wait */
function wakeupsOf(root) {
  return processesOf(root)
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`))
    .map((task) =>
      /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`${task}/status`, 'utf8')),
    )
    .reduce((sum, found) => sum + Number(found?.[1] ?? 0), 0);
}

/** @type {Case} */
const wakeups = {
  title: 'By the number of workers and of clients',
  // Voluntary context switches, from /proc. With fair the number of workers that accept falls for some seconds.
  candidates: [
    ...['node:cluster, round-robin', 'node:cluster, shared', 'PM2 7', 'Watt 3'],
    ...['nodecluster, round-robin', 'nodecluster, fair'],
  ],
  rounds: 5,
  seconds: 50,
  drawn: 'wakeups',
  figures: [
    { key: 'wakeups', title: 'wakeups/connection', better: 'less', digits: 1 },
    { key: 'cpuUs', title: 'CPU µs/connection', better: 'less' },
    { key: 'failed', title: 'failed', better: 'less' },
  ],
  async measure(conditions) {
    const measured = [];
    for (const workers of WORKERS) {
      const program = { script: programOf('hello.cjs'), workers };
      const rows = await serving(conditions, program, async ({ url, root }) => {
        const loads = [];
        // Every worker has compiled its code.
        await ab({ clients: 2 * workers })(url, 2 + workers / 16);
        for (const clients of CLIENTS) {
          const before = wakeupsOf(root);
          const { seconds } = conditions;
          let requests = 0;
          const load = async (/** @type {string} */ to, /** @type {number} */ lasting) => {
            const figures = await ab({ clients })(to, lasting);
            requests = figures.requests;
            return figures;
          };
          const { cpuUs, failed } = await underLoad(load, { url, root, seconds });
          const wakeups = (wakeupsOf(root) - before) / requests;
          const variant = `${workers} workers, ${clients === 1 ? 'one client' : `${clients} clients`}`;
          loads.push({ variant, figures: { wakeups, cpuUs, failed } });
        }
        return loads;
      });
      measured.push(...rows);
    }
    return measured;
  },
};

export default wakeups;
