import t from 'tap';
import { cron } from '../../../src/features/cron/show.js';
import { workerState } from '../../../src/show/state.js';

const NOW = new Date(2026, 5, 10, 1).getTime();
const worker = { slot: 0, status: 'exited' };
const app = { name: 'once', workers: [worker], nextReloadAt: NOW + 3 * 3_600_000 };

t.test('an app that has exited says when it starts again', async (t) => {
  t.equal(cron.worker(app, worker, NOW), 'exited, next start in 3h');
  t.equal(cron.worker(app, { ...worker, status: 'online' }, NOW), null);
  t.equal(cron.worker({ ...app, nextReloadAt: undefined }, worker, NOW), null);
  t.equal(workerState(app, worker, NOW), 'exited');
});

t.test('describe has the time of the next one', async (t) => {
  t.match(cron.facts(app, NOW), [['next cron_restart', /04:00.*, in 3h/]]);
  t.same(cron.facts({ ...app, nextReloadAt: undefined }, NOW), []);
});
