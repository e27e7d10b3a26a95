/** What daemon.log says of health checks. */
import t from 'tap';
import { health } from '../../../src/features/health/daemon.js';

const { logged } = health();
const slot = (status, pid = 7) => ({
  slot: 0,
  pid,
  health: { status, failures: 3, reason: status === 'unhealthy' ? 'GET /: 503' : null },
});
const report = (state, healthFailsEverywhere = false) => ({
  busy: null,
  slots: [state],
  healthFailsEverywhere,
});

for (const [name, before, after, ...events] of [
  ['nothing', report(slot('healthy')), report(slot('healthy'))],
  ['a worker', report(slot('healthy')), report(slot('unhealthy')), 'worker.unhealthy'],
  ['that was known', report(slot('unhealthy')), report(slot('unhealthy'))],
  [
    'of another process',
    report(slot('unhealthy', 6)),
    report(slot('unhealthy')),
    'worker.unhealthy',
  ],
  ['cured', report(slot('unhealthy')), report(slot('healthy')), 'worker.healthy'],
  ['all', report(slot('unhealthy')), report(slot('unhealthy'), true), 'app.unhealthy'],
  ['before the first report', { busy: 'start', slots: [] }, report(slot('healthy'))],
  [
    'all cured',
    report(slot('unhealthy'), true),
    report(slot('healthy')),
    'worker.healthy',
    'app.healthy',
  ],
]) {
  t.test(name, async (t) => {
    t.same(
      logged(before, after).map(({ event }) => event),
      events,
    );
  });
}
