/** How long a command takes, beside Node doing nothing. */
import { runCommand } from '../comparison/candidates/launch.js';
import { Gap } from '../comparison/gap.js';
import { programOf } from '../comparison/loads.js';
import { serving } from '../comparison/serving.js';
import { spreadOf } from '../comparison/statistics.js';

/** @import { Candidate, Case, Program } from '../comparison/types.js' */

const COMMANDS = ['ls', '--version', 'ping', 'ls --json'];
/** What PM2 calls it. */
const PM2_COMMANDS = new Map([['ls --json', 'jlist']]);
/** Of each command and of Node, in turn. */
const RUNS = 9;

/** @type {Case} */
const commands = {
  section: 'Start and commands',
  title: 'Commands',
  about: `The median of ${RUNS} runs of each command with one app of two workers, and of \`node -e 0\`, in turn. PM2's \`ls --json\` is \`jlist\`.`,
  candidates: ['nodecluster', 'PM2 7'],
  rounds: 2,
  seconds: 20,
  figures: [
    { key: 'ms', title: 'ms', better: 'less' },
    { key: 'toNode', title: 'to node -e 0', better: 'less', digits: 2, isDrawn: true },
  ],
  measure: (conditions) =>
    serving(conditions, { script: programOf('hello.cjs') }, async ({ program }) => {
      const measured = [];
      for (const command of COMMANDS) {
        const { ms, nodeMs } = await compare(conditions.candidate, command, program);
        measured.push({ variant: command, figures: { ms, toNode: ms / nodeMs } });
      }
      return measured;
    }),
};

export default commands;

/** @param {Candidate} candidate @param {string} command @param {Program} program */
async function compare({ name, run }, command, program) {
  if (run === undefined) throw new Gap('has no such commands');
  const said = name.startsWith('PM2') ? (PM2_COMMANDS.get(command) ?? command) : command;
  const times = /** @type {number[]} */ ([]);
  const nodeTimes = /** @type {number[]} */ ([]);
  for (let turn = 0; turn < RUNS; turn++) {
    times.push(await timeOf(() => run(program, said.split(' '))));
    nodeTimes.push(await timeOf(() => runCommand(program, ['-e', '0'])));
  }
  const [ms, nodeMs] = [times, nodeTimes].map((all) => spreadOf(all)?.median ?? NaN);
  return { ms, nodeMs };
}

/** @param {() => Promise<unknown>} action @returns {Promise<number>} milliseconds */
async function timeOf(action) {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}
