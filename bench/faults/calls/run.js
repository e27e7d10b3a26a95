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
 * @import { ErrorName, Fault, Role } from './library.js'
 * @import { Stage, Trial } from './trial.js'
 * @import { Verb } from './verbs.js'
 *
 * @typedef {{verb: Verb, role: Role, call: string, error: ErrorName}} Series
 */

/** A search for processes opens the same files for each process of the machine, so only the first ones fail. */
const MOST_IN_PROC = 12;

/** @type {Table} */
export const callsTable = {
  name: 'calls',
  title: 'A system call that fails during a command',
  by: { verb: 'command', role: 'process' },
  columns: [
    ...Object.keys(CALLS).map((call) => count(call, call)),
    zero('not as it must be', 'broken'),
  ],
};

/**
 * @param {{node: string, results: Results, commit: string, commands: string[]}} options commands: none: all
 * @returns {Promise<void>} when each call has failed
 */
export async function failEveryCall({ node, results, commit, commands }) {
  const directory = mkdtempSync(join(tmpdir(), 'failing-calls-'));
  try {
    const library = compileLibrary(directory);
    for (const series of everySeries(commands)) {
      const where = placeOf(series, node);
      if (results.found(where, 1).length > 0) continue;
      const row = await measure(series, { library, node });
      results.add([{ ...where, table: callsTable.name, commit, fraction: 1, ...row }]);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** One error of each call first, since most of the code treats all errors alike. @param {string[]} commands */
function* everySeries(commands) {
  const selection = verbs.filter(({ name }) => commands.length === 0 || commands.includes(name));
  for (const nth of [0, 1, 2, 3])
    for (const verb of selection)
      for (const role of ROLES)
        for (const [call, errors] of Object.entries(CALLS))
          if (errors[nth]) yield { verb, role, call, error: errors[nth] };
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
 * @param {Series} series
 * @param {{library: string, node: string}} options
 * @returns {Promise<Record<string, any>>}
 */
async function measure({ verb, role, call, error }, options) {
  /** @type {{nth: number, on: string | null, said: string, broken: string[]}[]} */
  const trials = [];
  const most = call === 'openat in /proc' ? MOST_IN_PROC : Infinity;
  /** @param {Stage} stage */
  const tryNext = async (stage) => {
    while (trials.length < most) {
      const nth = trials.length + 1;
      const { failed, said, broken } = await tryCommand(stage, verb, { role, call, error, nth });
      if (failed === null && broken.length === 0) return true;
      trials.push({ nth, on: failed, said, broken });
      if (broken.length > 0)
        console.error(
          `${verb.name}, ${role}, ${call} ${nth} (${failed}), ${error}: ${broken.join('\n')}`,
        );
      if (broken.length > 0 || verb.needsNewHome) return false;
    }
    return true;
  };
  while (!(await onStage(options, tryNext)));
  const broken = trials.filter((trial) => trial.broken.length > 0).length;
  console.error(
    `${verb.name}, ${role}, ${call}, ${error}: ${trials.length} failed, ${broken} broken`,
  );
  const others = Object.fromEntries(Object.keys(CALLS).map((name) => [name, null]));
  return { verb: verb.name, role, ...others, [call]: trials.length, broken, trials };
}
