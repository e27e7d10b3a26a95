/** What a command costs, beside Node doing nothing. */
import { runCommand } from '../comparison/candidates/launch.js';
import { Gap } from '../comparison/gap.js';
import { programOf, serving } from '../comparison/serving.js';
import { quantile } from '../statistics.js';
import { cpuMs } from '../processes.js';

/** @import { Candidate, Case, Program } from '../comparison/types.js' */

/** @typedef {{ms: number, cpuMs: number}} Cost */

const COMMANDS = ['ls', '--version', 'ping', 'ls --json'];
/** What PM2 calls it. */
const PM2_COMMANDS = new Map([['ls --json', 'jlist']]);
/** Of each command and of Node, in turn. */
const RUNS = 9;

/** @type {Case} */
const commands = {
  title: 'Commands',
  // PM2's `ls --json` is `jlist`.
  candidates: ['nodecluster', 'PM2 7'],
  rounds: 5,
  seconds: 25,
  figures: [
    { key: 'ms', title: 'ms', better: 'less' },
    { key: 'toNode', title: 'time', better: 'less', digits: 2 },
    { key: 'cpuToNode', title: 'CPU', better: 'less', digits: 2 },
  ],
  measure: (conditions) =>
    serving(conditions, { script: programOf('hello.cjs') }, async ({ program }) => {
      const measured = [];
      for (const command of COMMANDS) {
        const figures = await compare(conditions.candidate, command, program);
        measured.push({ variant: command, figures });
      }
      return measured;
    }),
};

export default commands;

/** @param {Candidate} candidate @param {string} command @param {Program} program */
async function compare({ name, run }, command, program) {
  if (run === undefined) throw new Gap('has no such commands');
  const said = name.startsWith('PM2') ? (PM2_COMMANDS.get(command) ?? command) : command;
  const own = () => run(program, said.split(' '));
  const idle = () => runCommand(program, ['-e', '0']);
  const costs = /** @type {Cost[]} */ ([]);
  const nodeCosts = /** @type {Cost[]} */ ([]);
  for (let turn = 0; turn < RUNS; turn++) {
    costs.push(await costOf(own));
    nodeCosts.push(await costOf(idle));
  }
  const [ms, nodeMs] = [costs, nodeCosts].map(medianMs);
  return { ms, toNode: ms / nodeMs, cpuToNode: sumOfCpu(costs) / sumOfCpu(nodeCosts) };
}

/** @param {() => Promise<unknown>} command @returns {Promise<Cost>} */
async function costOf(command) {
  const [begin, before] = [performance.now(), cpuMs('self')];
  await command();
  return { ms: performance.now() - begin, cpuMs: cpuMs('self').children - before.children };
}

/** @param {Cost[]} costs */
function medianMs(costs) {
  return quantile(
    costs.map(({ ms }) => ms),
    0.5,
  );
}

/** @param {Cost[]} costs */
function sumOfCpu(costs) {
  return costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}
