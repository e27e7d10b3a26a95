/** Workers killed again and again at a high rate of connections, one at a time or all of them at once. */
import { descriptorsOf } from '../../../test/support/processes.js';
import { until } from '../../../test/support/until.js';
import { quantile } from '../../statistics.js';
import { count, distinct, middle, most, zero } from '../figures.js';
import { ConnectionLoad } from '../traffic/connection-load.js';

/** @import { Measurement } from '../measurements.js' */

const losses = [
  count('requests', 'made'),
  count('lost in flight', 'inFlight'),
  zero('lost beyond', 'beyond'),
  zero('without answer', 'withoutAnswer'),
  zero('executed twice', 'twice'),
];

/** @type {Measurement} */
export const workerKills = {
  name: 'kills',
  tables: [
    {
      name: 'kills',
      title: 'A worker killed at a high rate of connections',
      columns: [
        ...[count('kills', 'kills'), ...losses],
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
  ],
  async measure(supervisor, { scheduling, numbers: { kills } }) {
    const app = new ConnectionLoad();
    await app.start(supervisor, scheduling);
    const primary = await supervisor.primaryOf('api');
    const open = () => descriptorsOf(primary).length;
    const before = open();
    const times = await app.killAgain({ rounds: kills, workers: 1, answers: 10 });
    // Descriptors of connections that have just ended are closed a moment later.
    await until(() => open() <= before, '', 2000).catch(() => {});
    const [middleMs, p99Ms] = [0.5, 0.99].map((share) => Math.round(quantile(times, share)));
    const figures = { ...app.figures(), descriptors: `${before} → ${open()}`, middleMs, p99Ms };
    return [{ table: 'kills', kills, ...figures }];
  },
};

/** Requests in flight are lost, but no connection may be refused. @type {Measurement} */
export const allKilled = {
  name: 'all-killed',
  tables: [
    {
      name: 'all-killed',
      title: 'All workers killed at once',
      columns: [
        ...[count('rounds', 'rounds'), ...losses, zero('refused', 'refused')],
        { head: 'longest wait ms', of: 'longestWaitMs', over: most },
      ],
    },
  ],
  async measure(supervisor, { scheduling, numbers: { rounds } }) {
    const app = new ConnectionLoad();
    await app.start(supervisor, scheduling);
    await app.killAgain({ rounds, workers: 2, answers: 50 });
    return [{ table: 'all-killed', rounds, ...app.figures() }];
  },
};
