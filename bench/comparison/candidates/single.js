/** The program alone, and bare node:cluster: what needs no supervisor. */
import { fileURLToPath } from 'node:url';
import { launch } from './launch.js';

/** @import { Candidate } from '../types.js' */

const PRIMARY = fileURLToPath(new URL('../../programs/bare-cluster.js', import.meta.url));

/** @type {Candidate} */
export const single = {
  name: 'single process',
  start: async (program) => launch(program, [program.script]),
  stop: async () => {}, // it is killed with all that mentions its directory
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
    stop: async () => {},
  };
}
