/** `kill -9` of each process in the middle of each operation, at each step and in between. */
import { interrupt, rehearse } from '../interrupted/trial.js';
import { operations } from '../interrupted/operations.js';
import { VICTIMS } from '../interrupted/processes.js';
import { count, most, zero } from '../figures.js';

/**
 * @import { Moment } from '../interrupted/trial.js'
 * @import { Measurement } from '../measurements.js'
 */

const OUTCOMES = ['finished', 'undone', 'partly', 'neither'];

/** @type {Measurement} */
export const interrupted = {
  name: 'interrupted',
  tables: [
    {
      name: 'interrupted-by-victim',
      title: 'A process killed in the middle of a command',
      by: { victim: 'killed' },
      columns: [
        count('kills', 'kills'),
        count('finished', 'finished'),
        count('undone', 'undone'),
        count('partly', 'partly'),
        zero('neither', 'neither'),
        zero('untrue answers', 'untrue'),
        count('requests', 'made'),
        count('lost in flight', 'inFlight'),
        zero('lost beyond', 'beyond'),
        zero('stray processes', 'strays'),
        { head: 'longest ms until whole', of: 'wholeMs', over: most },
      ],
    },
  ],
  async measure(supervisor, { node, scheduling, numbers, commands }) {
    if (supervisor.name === 'PM2') throw new Error('its commands are not compared with these');
    const rows = [];
    const isChosen = (/** @type {{name: string}} */ { name }) =>
      commands.length === 0 || commands.includes(name);
    for (const operation of operations.filter(isChosen)) {
      const conditions = { node, scheduling, operation };
      const rehearsal = await rehearse(conditions);
      for (const victim of operation.victims ?? VICTIMS) {
        for (const moment of momentsOf(rehearsal, numbers.moments)) {
          const figures = await interrupt(conditions, victim, moment);
          if (figures === null) continue;
          const where = {
            table: 'interrupted-by-victim',
            operation: operation.name,
            victim,
            kills: 1,
          };
          const outcomes = OUTCOMES.map((name) => [name, Number(name === figures.outcome)]);
          rows.push({ ...where, moment, ...Object.fromEntries(outcomes), ...figures });
        }
      }
    }
    return rows;
  },
};

/**
 * @param {{steps: string[], durationMs: number}} rehearsal
 * @param {number} number
 * @returns {Moment[]} half of them at steps, the others at random times
 */
function momentsOf({ steps, durationMs }, number) {
  const atSteps = steps.map((step, index) => ({
    step,
    nth: steps.slice(0, index + 1).filter((each) => each === step).length,
  }));
  const taken = Math.min(atSteps.length, Math.ceil(number / 2));
  return Array.from({ length: number }, (_, index) =>
    index < taken
      ? atSteps[Math.floor((index * atSteps.length) / taken)]
      : { atMs: Math.random() * durationMs },
  );
}
