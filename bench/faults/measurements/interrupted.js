/** `kill -9` of each process in the middle of each operation, at each step and in between. */
import { interrupt, rehearse } from '../interrupted/trial.js';
import { operations } from '../interrupted/operations.js';
import { VICTIMS } from '../interrupted/processes.js';
import { count, distinct, middle, most, number, zero } from '../figures.js';

/**
 * @import { Table } from '../figures.js'
 * @import { Moment } from '../interrupted/trial.js'
 * @import { Conditions, Measurement } from '../measurements.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

/** @type {Table} */
const byVictim = {
  name: 'interrupted-by-victim',
  rowsOf: 'interrupted',
  title: 'The same for all commands together',
  by: { victim: 'killed' },
  columns: [
    count('kills', 'kills'),
    { head: 'finished', of: 'finished', over: number },
    { head: 'undone', of: 'undone', over: number },
    { head: 'partly', of: 'partly', over: number },
    count('requests', 'made'),
    count('lost in flight', 'inFlight'),
    count('lost beyond', 'beyond'),
    { head: 'longest ms until whole', of: 'wholeMs', over: most },
  ],
};

/** @type {Table[]} */
const tables = [
  {
    name: 'interrupted',
    title: 'A process killed in the middle of a command',
    by: { operation: 'command', victim: 'killed' },
    inPage: byVictim,
    columns: [
      count('kills', 'kills'),
      { head: 'finished when killed', of: 'finished', over: tally },
      { head: 'undone when killed', of: 'undone', over: tally },
      { head: 'partly, each app whole', of: 'partly', over: tally },
      zero('neither', 'neither'),
      { head: 'exit codes', of: 'exit', over: distinct },
      zero('untrue answers', 'untrue'),
      count('requests', 'made'),
      count('lost in flight', 'inFlight'),
      zero('lost beyond', 'beyond'),
      zero('stray processes', 'strays'),
      { head: 'median ms until whole', of: 'wholeMs', over: middle },
      { head: 'longest', of: 'wholeMs', over: most },
    ],
  },
];

/** @type {Measurement} */
export const interrupted = { name: 'interrupted', tables, measure };

/**
 * @param {Supervisor} supervisor
 * @param {Conditions} conditions
 */
async function measure(supervisor, { node, scheduling, numbers, commands }) {
  if (supervisor.name === 'PM2') throw new Error('its commands are not compared with these');
  const rows = [];
  const isChosen = (/** @type {{name: string}} */ { name }) =>
    commands.length === 0 || commands.includes(name);
  for (const operation of operations.filter(isChosen)) {
    const conditions = { node, scheduling, operation };
    const rehearsal = await rehearse(conditions);
    for (const victim of operation.victims ?? VICTIMS) {
      for (const [name, moment] of momentsOf(rehearsal, numbers.moments)) {
        const figures = await interrupt(conditions, victim, moment);
        if (figures === null) continue;
        const where = { table: 'interrupted', operation: operation.name, victim, kills: 1 };
        rows.push({ ...where, ...outcomeColumns(figures.outcome, name), ...figures });
      }
    }
  }
  return rows;
}

/**
 * @param {{steps: string[], durationMs: number}} rehearsal
 * @param {number} number
 * @returns {[string, Moment][]} half of them at steps, the others at random times
 */
function momentsOf({ steps, durationMs }, number) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  /** @type {[string, Moment][]} */
  const atSteps = steps.map((step) => {
    const nth = (seen.get(step) ?? 0) + 1;
    seen.set(step, nth);
    return [step, { step, nth }];
  });
  const taken = Math.min(atSteps.length, Math.ceil(number / 2));
  const chosen = Array.from({ length: taken }, (_, index) => {
    return atSteps[Math.floor((index * atSteps.length) / taken)];
  });
  /** @type {[string, Moment][]} */
  const random = Array.from({ length: number - taken }, () => [
    'at random',
    { atMs: Math.random() * durationMs },
  ]);
  return [...chosen, ...random];
}

/** @param {string} outcome @param {string} moment */
function outcomeColumns(outcome, moment) {
  const names = ['finished', 'undone', 'partly'];
  const columns = names.map((name) => [name, name === outcome ? moment : null]);
  return { ...Object.fromEntries(columns), neither: Number(outcome === 'neither') };
}

/** @param {string[]} moments @returns {string} each with how often */
function tally(moments) {
  return [...new Set(moments)]
    .map((name) => `${name} ×${moments.filter((each) => each === name).length}`)
    .join(', ');
}
