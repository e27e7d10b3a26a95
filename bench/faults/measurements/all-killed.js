/** All workers killed at once. Requests in flight are lost, but no connection may be refused. */
import { BY_SCHEDULING, count, most, zero } from '../figures.js';
import { ConnectionLoad } from '../traffic/connection-load.js';

/**
 * @import { Table } from '../figures.js'
 * @import { Conditions, Measurement } from '../measurements.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

/** @type {Table[]} */
const tables = [
  {
    name: 'all-killed',
    title: 'All workers killed at once',
    by: {},
    apart: BY_SCHEDULING,
    columns: [
      count('rounds', 'rounds'),
      count('requests', 'made'),
      zero('refused', 'refused'),
      count('lost in flight', 'inFlight'),
      zero('lost beyond', 'beyond'),
      zero('without answer', 'withoutAnswer'),
      zero('executed twice', 'twice'),
      { head: 'longest wait ms', of: 'longestWaitMs', over: most },
    ],
  },
];

/** @type {Measurement} */
export const allKilled = { name: 'all-killed', tables, measure };

/**
 * @param {Supervisor} supervisor
 * @param {Conditions} conditions
 */
async function measure(supervisor, { scheduling, numbers }) {
  const app = new ConnectionLoad();
  await app.start(supervisor, scheduling);
  await killAgain(app, numbers.rounds).finally(() => app.stop());
  return [{ table: 'all-killed', rounds: numbers.rounds, ...app.figures() }];
}

/** @param {ConnectionLoad} app @param {number} rounds */
async function killAgain(app, rounds) {
  await app.begin();
  for (let round = 0; round < rounds; round++) {
    await app.answers(50);
    await app.kill(2);
  }
}
