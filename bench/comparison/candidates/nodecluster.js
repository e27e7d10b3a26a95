/** nodecluster, as `npm run build` makes it of this checkout, with one of its policies or its default. */
import { fileURLToPath } from 'node:url';
import { Gap } from '../gap.js';
import { nodeVersion, runCommand } from './launch.js';

/** @import { Candidate, Program } from '../types.js' */

const BIN = fileURLToPath(new URL('../../../dist/bin/nodecluster.js', import.meta.url));
const APP = 'measured';

/** @param {string} [scheduling] undefined: the default @returns {Candidate} */
export function nodecluster(scheduling) {
  return {
    name: scheduling === undefined ? 'nodecluster' : `nodecluster, ${scheduling}`,
    scheduling,
    start: async (program) => {
      if (scheduling === 'reuseport') await requireReuseport(program);
      const policy = scheduling === undefined ? [] : ['--scheduling', scheduling];
      const args = ['start', program.script, '--name', APP, '-i', `${program.workers}`, ...policy];
      await run(program, args);
    },
    run,
    reload: (program) => run(program, ['reload', APP]),
    stop: async (program) => void (await run(program, ['kill'])),
  };
}

/** @param {Program} program @param {string[]} args */
function run(program, args) {
  return runCommand(program, [BIN, ...args], { NODECLUSTER_HOME: homeOf(program) });
}

/** @param {Program} program */
function homeOf({ root }) {
  return `${root}/home`;
}

/** Elsewhere the policy is another one, which is measured by itself. @param {Program} program */
async function requireReuseport(program) {
  const [major, minor] = await nodeVersion(program);
  const hasIt = major > 22 || (major === 22 && minor >= 12);
  if (process.platform !== 'linux' || !hasIt) throw new Gap('needs Linux and Node 22.12');
}
