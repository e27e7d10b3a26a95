import t from 'tap';
import { jobs } from '../../src/features/jobs/daemon.js';
import { jobs as shown } from '../../src/features/jobs/show.js';
import { ecosystemDirectory } from '../config/ecosystem-directory.js';
import { exit } from '../support/snapshot.js';

t.test('a job', async (t) => {
  const { resolve, write } = ecosystemDirectory(t, { 'report.js': '', 'web.js': '' });
  const specOf = async (settings) => {
    write('job.yml', `apps:\n  - script: report.js\n    schedule: '*/5 * * * *'\n${settings}`);
    return (await resolve('job.yml')).specs[0];
  };
  t.match(await specOf('    timezone: Europe/Berlin\n'), {
    schedule: '*/5 * * * *',
    timezone: 'Europe/Berlin',
    overlap: 'skip',
    execMode: 'fork',
    interpreter: 'node',
    autorestart: false,
    instances: 1,
  });
  const explicit = '    exec_mode: fork\n    autorestart: false\n    overlap: queue\n';
  t.match(await specOf(explicit), { overlap: 'queue' });
  for (const [settings, message] of [
    ['    instances: 2\n', /must be 1 with schedule/],
    ['    instances: {max: 2}\n', /must be 1 with schedule/],
    ['    exec_mode: cluster\n', /must be fork with schedule/],
    ['    autorestart: true\n', /must be false with schedule/],
    ["    cron_restart: '0 4 * * *'\n", /is not for an app with schedule/],
    ['    max_memory_restart: 300M\n', /is not for an app with schedule/],
    ['    health: /health\n', /is not for an app with schedule/],
    ['    timezone: Mars/Olympus\n', /expected a time zone such as Europe\/Berlin or UTC/],
    ['    overlap: both\n', /expected skip, queue or replace/],
    ['  - script: web.js\n    depends_on: report\n', /report .* so no app can wait for it/],
  ]) {
    await t.rejects(specOf(settings), { message }, settings);
  }
  for (const pattern of ['0 0 30 2 *', '0 0 31 4,6,9,11 *']) {
    write('never.yml', `apps:\n  - script: report.js\n    schedule: '${pattern}'\n`);
    const message = /never\.yml:3.*schedule.*no date matches it/s;
    await t.rejects(resolve('never.yml'), { message }, pattern);
    write('zoned.yml', `script: web.js\nschedule: '${pattern}'\ntimezone: UTC\n`);
    await t.rejects(resolve('zoned.yml'), { message: /^(?!.*timezone)/s }, 'one error');
  }
  write('none.yml', 'script: web.js\ntimezone: UTC\n');
  await t.rejects(resolve('none.yml'), { message: /timezone.*has no meaning without schedule/ });
  write('cron.yml', `script: web.js\ntimezone: UTC\ncron_restart: '@daily'\n`);
  t.match((await resolve('cron.yml')).specs[0], { timezone: 'UTC', cronRestart: '@daily' });
});

const { check, event } = jobs({});
const job = { name: 'report', spec: { schedule: '@daily', stopExitCodes: [] } };

t.test('what is no job any more, or is stopped, when its run has its turn', async (t) => {
  const { spec, name } = job;
  const refusal = { data: { app: name } };
  const stopped = { ...job, stopped: true };
  t.throws(() => check(stopped, 'run', {}), { ...refusal, code: 'E_JOB_STOPPED' });
  const other = { name, spec: { ...spec, schedule: null } };
  t.throws(() => check(other, 'run', {}), { ...refusal, code: 'E_NOT_A_JOB' });
  t.doesNotThrow(() => check(job, 'run', {}));
});

t.test('a job has one process', async (t) => {
  const scaled = (instances) => ({ spec: { ...job.spec, instances } });
  const refusal = { code: 'E_SCALE_JOB', exitCode: 2 };
  t.throws(() => check(job, 'scale', scaled(2)), refusal);
  t.throws(() => check(job, 'scale', scaled(0)), refusal, 'max, also if there is one core now');
  t.doesNotThrow(() => check(job, 'scale', scaled(1)));
  t.doesNotThrow(() => check({ spec: { schedule: null } }, 'scale', scaled(2)));
});

t.test('its exits are the ends of its runs', async (t) => {
  const ended = { type: 'worker.exited', code: 1, signal: null, reason: exit(1) };
  t.match(event(job, ended), { type: 'job.ended', ok: false, reason: exit(1) });
  t.equal(event({ spec: { schedule: null } }, ended), ended);
});

const run = (more) => ({
  ...{ at: 10_000, durationMs: 2100, ok: true, code: 0, reason: exit(0) },
  ...more,
});
const app = (more) => ({
  job: { schedule: '*/5 * * * *', overlap: 'skip', nextRunAt: 264_000, skipped: 0, ...more },
});
const waiting = { status: 'waiting' };
const failed = { ok: false, code: 3 };
const killed = { ok: false, code: undefined, signal: 'SIGKILL' };
const WAIT = 'waiting 4m 10s';

t.test('the state of a job', async (t) => {
  for (const [job, worker, text] of [
    [{}, waiting, WAIT],
    [{ lastRun: run() }, waiting, `${WAIT}, last ok, took 2.1s`],
    [{ lastRun: run(failed) }, waiting, `${WAIT}, last failed (exit 3), took 2.1s`],
    [{ lastRun: run(killed) }, waiting, `${WAIT}, last failed (SIGKILL), took 2.1s`],
    [{ nextRunAt: undefined }, waiting, 'waiting for no further time'],
    [{ lastRun: run() }, { status: 'online', startedAt: 2000 }, 'running 12s'],
    [{}, { status: 'starting' }, 'running 0s'],
    [{}, { status: 'stopped' }, null],
    [{}, { status: 'stopping' }, null],
  ]) {
    t.equal(shown.worker(app(job), worker, 14_000), text);
  }
  t.equal(shown.worker({}, waiting, 0), null);
});

t.test('the facts of describe, and the outcome of a command', async (t) => {
  t.equal(shown.section({}, 0), null);
  const factsOf = (of) => shown.section(of, 14_000).facts;
  t.same(factsOf({ job: { schedule: '@daily', overlap: 'skip', skipped: 0 } }), [
    ['schedule', '@daily, overlap: skip'],
    ['next run', undefined],
    ['last run', undefined, ''],
  ]);
  const [schedule, next, last] = factsOf(
    app({ timezone: 'UTC', skipped: 2, lastRun: run({ ok: false, reason: exit(3) }) }),
  );
  t.same(schedule, ['schedule', '*/5 * * * * (UTC), overlap: skip, 2 skipped']);
  t.match(next[1], /^19(69|70)-\d\d-\d\d \d\d:\d\d:24, in 4m 10s$/);
  t.same(last, ['last run', 'failed: exited with code 3, took 2.1s, 4s ago', 'bad']);
  const outcome = (action, nextRunAt, stopped = []) =>
    shown.outcome({ action }, { stopped, job: { nextRunAt } }, 14_000);
  t.equal(outcome('start', 18_000), 'runs on its schedule, next in 4s');
  t.match(outcome('reload'), /^the next run has .* no further run$/);
  t.equal(outcome('stop', 18_000, [0]), null);
});
