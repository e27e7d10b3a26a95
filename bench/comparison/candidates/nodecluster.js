/** nodecluster, as `npm run build` makes it of this checkout, with one of its policies or its default. */
import { fileURLToPath } from 'node:url';
import { runCommand } from './launch.js';

/** @import { Candidate, Program } from '../types.js' */

const BIN = fileURLToPath(new URL('../../../dist/bin/nodecluster.js', import.meta.url));
const APP = 'measured';

/** @param {string} [scheduling] undefined: the default @returns {Candidate} */
export function nodecluster(scheduling) {
  return {
    name: scheduling === undefined ? 'nodecluster' : `nodecluster, ${scheduling}`,
    start: async (program) => {
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
