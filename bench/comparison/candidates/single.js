/** The program alone, and bare node:cluster: what needs no supervisor. */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processesOf } from '../../../test/support/processes.js';
import { launch } from './launch.js';

/** @import { Candidate } from '../types.js' */

const PRIMARY = fileURLToPath(new URL('../../programs/bare-cluster.js', import.meta.url));
const RESTARTED = fileURLToPath(new URL('../../programs/restarted.js', import.meta.url));
/** No script says when it is done. */
const RELOAD_MS = 2_000;

/** @type {Candidate} */
export const single = {
  name: 'single process',
  start: async (program) => launch(program, [program.script]),
  stop: async () => {}, // it is killed with all that mentions its directory
};

/** Both scripts take SIGHUP as the request to replace what runs. @type {Candidate['reload']} */
const hangUp = async ({ root }) => {
  const [primary] = processesOf(root);
  process.kill(primary, 'SIGHUP');
  await pause(RELOAD_MS);
};

/** @type {Candidate} */
export const restartedSingle = {
  name: 'single process, restarted',
  start: async (program) => launch(program, [RESTARTED, program.script]),
  reload: hangUp,
  stop: async () => {},
};

/** @param {'round-robin' | 'shared'} scheduling @returns {Candidate} */
export function bareCluster(scheduling) {
  return {
    name: `node:cluster, ${scheduling}`,
    start: async (program) =>
      launch(program, [PRIMARY, program.script, String(program.workers)], {
        env: { NODE_CLUSTER_SCHED_POLICY: scheduling === 'shared' ? 'none' : 'rr' },
        ready: /all workers listen/,
      }),
    reload: hangUp,
    stop: async () => {},
  };
}
