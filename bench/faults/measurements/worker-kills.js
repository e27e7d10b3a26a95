/** One worker killed again and again at a high rate of connections. */
import { descriptorsOf } from '../../../test/support/processes.js';
import { until } from '../../../test/support/until.js';
import { median, percentile } from '../../table.js';
import { BY_SCHEDULING, count, distinct, middle, most, zero } from '../figures.js';
import { ConnectionLoad } from '../traffic/connection-load.js';

/**
 * @import { Table } from '../figures.js'
 * @import { Conditions, Measurement } from '../measurements.js'
 * @import { Supervisor } from '../supervisors/supervisor.js'
 */

/** @type {Table[]} */
const tables = [
  {
    name: 'kills',
    title: 'A worker killed at a high rate of connections',
    by: {},
    apart: BY_SCHEDULING,
    columns: [
      count('kills', 'kills'),
      count('requests', 'made'),
      count('lost in flight', 'inFlight'),
      zero('lost beyond', 'beyond'),
      zero('without answer', 'withoutAnswer'),
      zero('executed twice', 'twice'),
      {
        head: 'descriptors of the primary',
        of: 'descriptors',
        over: distinct,
        must: ({ descriptors }) => {
          const [before, after] = descriptors.split(' → ').map(Number);
          return after <= before;
        },
      },
      { head: 'median ms', of: 'middleMs', over: middle },
      { head: 'p99 ms', of: 'p99Ms', over: most },
    ],
  },
];

/** @type {Measurement} */
export const workerKills = { name: 'kills', tables, measure };

/**
 * @param {Supervisor} supervisor
 * @param {Conditions} conditions
 */
async function measure(supervisor, { scheduling, numbers }) {
  const app = new ConnectionLoad();
  await app.start(supervisor, scheduling);
  const primary = await supervisor.primaryOf('api');
  const before = descriptorsOf(primary).length;
  const times = await killAgain(app, numbers.kills).finally(() => app.stop());
  // Descriptors of connections that have just ended are closed a moment later.
  await until(() => descriptorsOf(primary).length <= before, '', 2000).catch(() => {});
  const descriptors = `${before} → ${descriptorsOf(primary).length}`;
  return [
    {
      ...{ table: 'kills', kills: numbers.kills, ...app.figures(), descriptors },
      ...{ middleMs: Math.round(median(times)), p99Ms: Math.round(percentile(times, 0.99)) },
    },
  ];
}

/** @param {ConnectionLoad} app @param {number} kills */
async function killAgain(app, kills) {
  await app.begin();
  const times = [];
  for (let kill = 0; kill < kills; kill++) {
    await app.answers(10);
    times.push(await app.kill(1));
  }
  return times;
}
