import t from 'tap';
import { jobs } from '../../../src/features/jobs/daemon.js';

const { check, event } = jobs({});
const job = { name: 'report', spec: { schedule: '@daily', stopExitCodes: [] } };

t.test('a job has one process', async (t) => {
  const scaled = (instances) => ({ spec: { ...job.spec, instances } });
  const refusal = { code: 'E_SCALE_JOB', exitCode: 2 };
  t.throws(() => check(job, 'scale', scaled(2)), refusal);
  t.throws(() => check(job, 'scale', scaled(0)), refusal, 'max, also if there is one core now');
  t.doesNotThrow(() => check(job, 'scale', scaled(1)));
  t.doesNotThrow(() => check({ spec: { schedule: null } }, 'scale', scaled(2)));
});

t.test('its exits are the ends of its runs', async (t) => {
  const exit = { type: 'worker.exited', code: 1, signal: null };
  t.match(event(job, exit), { type: 'job.ended', ok: false, reason: 'exited with code 1' });
  t.equal(event({ spec: { schedule: null } }, exit), exit);
});
