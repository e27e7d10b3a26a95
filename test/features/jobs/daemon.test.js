import t from 'tap';
import { jobs } from '../../../src/features/jobs/daemon.js';

const { check, event } = jobs({});
const job = { name: 'report', spec: { schedule: '@daily', stopExitCodes: [] } };

t.test('a job has one process', async (t) => {
  t.throws(() => check(job, 'scale', { count: 2 }), { code: 'E_SCALE_JOB', exitCode: 2 });
  t.doesNotThrow(() => check(job, 'scale', { count: 1 }));
  t.doesNotThrow(() => check({ spec: { schedule: null } }, 'scale', { count: 2 }));
});

t.test('its exits are the ends of its runs', async (t) => {
  const exit = { type: 'worker.exited', code: 1, signal: null };
  t.match(event(job, exit), { type: 'job.ended', ok: false, reason: 'exited with code 1' });
  t.equal(event({ spec: { schedule: null } }, exit), exit);
});
