/**
 * Every call of daemon and primary during a command fails once, with each error that it can have.
 * `npm run bench:faults -- --calls` measures it, one row for each command, process, call and error.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionOf } from '../../bench-home.js';
import { count, zero } from '../figures.js';
import { CALLS, ROLES, compileLibrary } from './library.js';
import { onStage, tryCommand } from './trial.js';
import { verbs } from './verbs.js';

/**
 * @import { Table } from '../figures.js'
 * @import { Results } from '../results.js'
 * @import { ErrorName, Role } from './library.js'
 * @import { Stage, Trial } from './trial.js'
 * @import { Verb } from './verbs.js'
 *
 * @typedef {object} Series
 * @property {Verb} verb
 * @property {Role} role
 * @property {string} call
 * @property {ErrorName} error
 * @property {{nth: number, on: string | null, said: string, broken: string[]}[]} trials
 */

/** A search for processes opens the same files for each process of the machine, so only the first ones fail. */
const MOST_IN_PROC = 12;
/** At most so many of one series fail, evenly spread: `update` opens each file of the package, to copy it and to load it. */
const MOST_ALIKE = 100;

/** @type {Table} */
const byProcess = {
  name: 'calls-by-process',
  rowsOf: 'calls',
  title: 'The same for all commands together',
  by: { role: 'process' },
  columns: [
    ...Object.keys(CALLS).map((call) => count(call, call)),
    zero('not as it must be', 'broken'),
  ],
};

/** @type {Table} */
export const callsTable = {
  ...byProcess,
  name: 'calls',
  rowsOf: undefined,
  title: 'A system call that fails during a command',
  by: { verb: 'command', role: 'process' },
  inPage: byProcess,
};

/**
 * @param {{node: string, results: Results, commit: string, commands: string[]}} options commands: none: all
 * @returns {Promise<void>} when each call has failed
 */
export function failEveryCall({ node, results, commit, commands }) {
  const selection = verbs.filter(({ name }) => commands.length === 0 || commands.includes(name));
  return withLibrary(async (library) => {
    // One error of each call first, since most of the code treats all errors alike.
    for (const turn of [0, 1, 2, 3]) {
      for (const verb of selection) {
        const isKnown = (/** @type {Series} */ series) =>
          results.found(placeOf(series, node), 1).length > 0;
        const pending = seriesOf(verb, turn).filter((series) => !isKnown(series));
        const add = (/** @type {Series} */ series) => {
          const where = placeOf(series, node);
          results.add([{ ...where, commit, fraction: 1, ...rowOf(series) }]);
        };
        if (pending.length === 0) continue;
        const options = { library, node };
        const { counts } = await onStage(options, (stage) => tryCommand(stage, verb, null));
        while (pending.length > 0)
          await onStage(options, (stage) => measure(stage, { pending, counts, add }));
      }
    }
  });
}

/**
 * @template T
 * @param {(library: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withLibrary(use) {
  const directory = mkdtempSync(join(tmpdir(), 'failing-calls-'));
  try {
    return await use(compileLibrary(directory));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** @param {Verb} verb @param {number} turn @returns {Series[]} */
function seriesOf(verb, turn) {
  return ROLES.flatMap((role) =>
    Object.entries(CALLS)
      .filter(([, errors]) => turn < errors.length)
      .map(([call, errors]) => ({ verb, role, call, error: errors[turn], trials: [] })),
  );
}

/** @param {Series} series @param {string} node */
function placeOf({ verb, role, call, error }, node) {
  const measurement = `calls: ${verb.name}, ${role}, ${call}, ${error}`;
  return {
    measurement,
    node: versionOf(node),
    scheduling: 'round-robin',
    supervisor: 'nodecluster',
  };
}

/**
 * @param {Stage} stage used until something breaks
 * @param {object} order
 * @param {Series[]} order.pending of one command; those that are done are removed
 * @param {Trial['counts']} order.counts of calls when none fails
 * @param {(series: Series) => void} order.add
 */
async function measure(stage, { pending, counts, add }) {
  let isUsable = true;
  while (isUsable && pending.length > 0) {
    const [series] = pending;
    const { verb, role, call, trials } = series;
    const made = counts[role][call];
    const isMade = made > 0;
    const isDone = !isMade || (await tryNext(stage, series, Math.ceil(made / MOST_ALIKE)));
    if (isDone) add(series);
    if (isDone) pending.shift();
    isUsable = !isMade || (!verb.needsNewHome && (trials.at(-1)?.broken ?? []).length === 0);
  }
}

/**
 * @param {Stage} stage
 * @param {Series} series
 * @param {number} step 1: each call fails
 * @returns {Promise<boolean>} the command makes no further call
 */
async function tryNext(stage, { verb, role, call, error, trials }, step) {
  const nth = 1 + trials.length * step;
  const fault = { role, call, error, nth };
  const { failed, said, broken } = await tryCommand(stage, verb, fault).catch(unusable);
  if (failed === null && broken.length === 0) return true;
  trials.push({ nth, on: failed, said, broken });
  if (broken.length > 0)
    console.error(
      [`${verb.name}, ${role}, ${call} ${nth} (${failed}), ${error}:`, ...broken].join('\n'),
    );
  return call === 'openat in /proc' && nth === MOST_IN_PROC;
}

/** @param {Error} error @returns {Pick<Trial, 'failed' | 'said' | 'broken'>} */
function unusable({ stack }) {
  return { failed: null, said: 'unusable', broken: [String(stack)] };
}

/** @param {Series} series */
function rowOf({ verb, role, call, error, trials }) {
  const broken = trials.filter((trial) => trial.broken.length > 0).length;
  console.error(
    `${verb.name}, ${role}, ${call}, ${error}: ${trials.length} failed, ${broken} broken`,
  );
  const others = Object.fromEntries(Object.keys(CALLS).map((name) => [name, null]));
  const counts = { ...others, [call]: trials.length, broken };
  return { table: callsTable.name, verb: verb.name, role, ...counts, trials };
}
