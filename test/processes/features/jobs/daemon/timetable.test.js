/** Jobs with a schedule: real processes, at every second. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app as fixture } from '../../../../support/home.js';
import { isRunning } from '../../../../support/processes.js';
import { until } from '../../../../support/until.js';
import { daemonUnderTest, killNow, testSpec } from '../../../daemon-under-test.js';

const EVERY_SECOND = '* * * * * *';
const NEVER_SOON = '0 0 1 1 *';

/** A daemon, and a job whose task can be changed. */
async function scene(t, settings = {}) {
  const daemon = daemonUnderTest(t);
  const { pid } = await daemon.start();
  const file = join(daemon.root, 'runs');
  const task = join(daemon.root, 'task');
  const does = (what) => writeFileSync(task, JSON.stringify({ ms: 20, code: 0, ...what }));
  does({});
  const spec = testSpec({
    name: 'job',
    script: fixture('job.cjs'),
    execMode: 'fork',
    interpreter: 'node',
    autorestart: false,
    instances: 1,
    minUptimeMs: 50,
    onDemand: true,
    schedule: EVERY_SECOND,
    env: { RUNS: file, TASK: task },
    ...settings,
  });
  const runs = () =>
    existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  const ran = (count) => until(() => runs().length >= count && runs(), `${count} runs`);
  const events = [];
  const client = await daemon.dial();
  const listening = new Promise((resolve) => {
    const onNotification = (kind, event) => (kind === 'event' ? events.push(event) : resolve());
    client.request('events', {}, { onNotification }).catch(() => {});
  });
  await listening;
  const happened = (type, more = {}) => {
    const wanted = Object.entries({ type, ...more });
    const isIt = (event) => wanted.every(([key, value]) => event[key] === value);
    return until(() => events.find(isIt), `${type} ${JSON.stringify(more)}`);
  };
  const start = () => daemon.ask('start', { specs: [spec] });
  const view = () => daemon.view('job');
  const waiting = () =>
    until(async () => {
      const seen = await view();
      return seen.status === 'waiting' && seen.job.lastRun && seen;
    }, 'the run to end');
  return { daemon, pid, does, runs, ran, events, happened, start, view, waiting };
}

t.test('it runs on its schedule, and each outcome is shown', async (t) => {
  const { daemon, does, runs, ran, events, happened, start, view, waiting } = await scene(t);
  const { apps } = await start();
  t.match(apps, [{ ok: true, done: [], after: { stopped: [], job: { nextRunAt: Number } } }]);
  await ran(2);
  const ended = await happened('job.ended', { ok: true });
  t.match(ended, { app: 'job', code: 0, reason: { kind: 'exit', code: 0 }, durationMs: Number });
  t.match(await happened('job.started'), { by: { role: 'schedule' } }, 'not at the start');
  const { job, restarts, workers } = await waiting();
  t.match(job, {
    schedule: EVERY_SECOND,
    overlap: 'skip',
    skipped: 0,
    nextRunAt: Number,
    lastRun: { ok: true, code: 0, signal: null, durationMs: Number },
  });
  t.ok(job.nextRunAt > job.lastRun.at);
  t.same([restarts, workers[0].reason], [0, null]);
  t.notOk(
    events.some(({ type }) => type === 'worker.exited'),
    'no unexpected exit',
  );

  does({ code: 3 });
  t.match(await happened('job.ended', { ok: false }), { code: 3, lastLines: ['it has failed'] });
  const count = runs().length;
  t.match((await waiting()).job.lastRun, { ok: false, code: 3, reason: 'exited with code 3' });
  await ran(count + 1);
  t.notOk(events.some(({ type }) => type === 'worker.errored'));

  await daemon.ask('stop', { selectors: ['job'] });
  const stopped = runs().length;
  t.match(await view(), { status: 'stopped', job: { nextRunAt: null } });
  await t.rejects(daemon.ask('run-now', { selectors: ['job'] }), { code: 'E_JOB_STOPPED' });
  t.equal(runs().length, stopped);
  await daemon.ask('resume', { selectors: ['job'] });
  await ran(stopped + 1);
});

t.test('run-now, and commands that run nothing', async (t) => {
  const { daemon, does, runs, ran, happened, start, view } = await scene(t, {
    schedule: NEVER_SOON,
  });
  await start();
  const runNow = (more) => daemon.ask('run-now', { selectors: ['job'], ...more });
  t.match(await runNow(), { apps: [{ action: 'run', ok: true, failed: [] }] });
  t.equal(runs().length, 1);
  does({ code: 4, ms: 200 });
  t.match(await runNow(), {
    apps: [
      {
        ok: false,
        failed: [{ id: 0, reason: 'exited with code 4', lastLines: ['it has failed'] }],
      },
    ],
  });
  for (const command of ['reload', 'restart', 'resume', 'reset']) {
    t.match(await daemon.ask(command, { selectors: ['job'] }), { apps: [{ ok: true }] }, command);
  }
  t.equal(runs().length, 2, 'these run nothing');

  does({ ms: 60_000 });
  const { apps } = await runNow({ untilEnd: false });
  t.match(apps, [{ ok: true }]);
  t.equal(apps[0].notes, undefined, 'that it does not listen is not noteworthy');
  const [, , pid] = await ran(3);
  await t.rejects(runNow(), { code: 'E_JOB_RUNS' });
  t.match(await daemon.ask('reload', { selectors: ['job'] }), { apps: [{ ok: true }] });
  t.ok(isRunning(pid), 'a reload leaves the run alone');
  t.match(await daemon.ask('restart', { selectors: ['job'] }), { apps: [{ ok: true }] });
  t.notOk(isRunning(pid), 'a restart stops it');
  t.equal((await view()).status, 'waiting');
  t.equal(runs().length, 3);
  t.match(await happened('job.started'), { by: { role: 'test' } });

  for (const ms of [40, 50, 60, 70, 80]) {
    does({ code: 4, ms });
    const failed = [{ id: 0, reason: 'exited with code 4' }];
    t.match(await runNow(), { apps: [{ ok: false, failed }] }, `it ends after ${ms} ms`);
  }

  const spec = testSpec({ name: 'web', minUptimeMs: 50, instances: 1, env: { PORT: '0' } });
  await daemon.ask('start', { specs: [spec] });
  await t.rejects(daemon.ask('run-now', { selectors: ['web'] }), { code: 'E_NOT_A_JOB' });
});

t.test('overlap: skip', async (t) => {
  const skips = await scene(t);
  skips.does({ ms: 2500 });
  await skips.start();
  t.match(await skips.happened('job.skipped'), { reason: { other: 'running' } });
  t.equal(skips.runs().length, 1);
  t.ok((await skips.view()).job.skipped >= 1);
  await skips.ran(2);
});

t.test('overlap: queue, also behind a run that hangs', async (t) => {
  const queues = await scene(t, { overlap: 'queue' });
  queues.does({ ms: 1500 });
  await queues.start();
  const [first] = await queues.ran(2);
  t.notOk(isRunning(first), 'one after the other');
  queues.does({ ms: 600_000 });
  const hung = await until(() => {
    const last = queues.runs().at(-1);
    return queues.events.some(({ reason }) => reason?.other === 'waiting') && last;
  }, 'a run to be skipped');
  t.match(await queues.view(), { job: { skipped: Number }, status: /starting|online/ });
  const count = queues.runs().length;
  queues.does({});
  const [restarted] = (await queues.daemon.ask('restart', { selectors: ['job'] })).apps;
  t.equal(restarted.ok, true);
  t.notOk(isRunning(hung));
  await queues.ran(count + 1);
});

t.test('overlap: replace, also a run that is deaf', async (t) => {
  const replaces = await scene(t, { overlap: 'replace', killTimeoutMs: 2500 });
  replaces.does({ ms: 600_000, isDeaf: true });
  await replaces.start();
  const [deaf] = await replaces.ran(1);
  t.match(await replaces.happened('job.skipped'), { reason: { other: 'beginning' } });
  replaces.does({ ms: 60_000 });
  const [, old] = await replaces.ran(3);
  t.notOk(isRunning(deaf), 'it is killed after kill_timeout');
  await until(() => !isRunning(old), 'the next one to be stopped');
});

t.test('commands on a job that runs', async (t) => {
  const { daemon, does, runs, ran, start, view } = await scene(t, { schedule: NEVER_SOON });
  await start();
  does({ ms: 600_000 });
  const run = async (count) => {
    const ended = daemon.ask('run-now', { selectors: ['job'] });
    const [pid] = (await ran(count)).slice(-1);
    return { pid, ended };
  };
  const first = await run(1);
  t.match(await daemon.ask('stop', { selectors: ['job'] }), { apps: [{ ok: true }] });
  t.match(await first.ended, { apps: [{ ok: false, failed: [{ reason: /was stopped before/ }] }] });
  t.notOk(isRunning(first.pid));
  t.match(await view(), { status: 'stopped' });

  await daemon.ask('resume', { selectors: ['job'] });
  const second = await run(2);
  const { primaryPid } = await view();
  killNow(primaryPid);
  t.match(await second.ended, { apps: [{ ok: false }] }, 'the run ends with its primary');
  await until(() => !isRunning(second.pid), 'the process to end');
  await until(async () => (await view()).status === 'waiting', 'the next primary');
  t.equal(runs().length, 2, 'it is not run again');

  const third = await run(3);
  t.match(await daemon.ask('delete', { selectors: ['job'] }), { apps: [{ ok: true }] });
  t.match(await third.ended, { apps: [{ ok: false }] });
  t.notOk(isRunning(third.pid));
  t.equal(await view(), undefined);
});

t.test('a daemon that is killed during a run', async (t) => {
  const { daemon, pid, does, ran, runs, start, waiting } = await scene(t, { schedule: NEVER_SOON });
  await start();
  does({ ms: 1500, code: 5 });
  await daemon.ask('run-now', { selectors: ['job'], untilEnd: false });
  const [run] = await ran(1);
  killNow(pid);
  t.ok(isRunning(run), 'the run goes on');
  t.match((await waiting()).job.lastRun, { ok: false, code: 5 }, 'the next daemon knows its end');
  t.same(runs(), [run], 'nothing was made up for');
});
