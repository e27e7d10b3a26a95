/** A primary that a signal has stopped, or that answers nothing but pings, or nonsense. */
import t from 'tap';
import { judgeProbes } from '../../../src/lifecycle/probe-policy.js';
import { readRecord, workersIn } from '../../../src/shared/processes/primary-record.js';
import { startLoad } from '../../support/http-load.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { killNow, killed, pidsOf, startedDaemon, webSpec } from '../daemon-under-test.js';

// Each waits for replies that do not come: they do so together.
t.jobs = 4;

t.test('it is unknown, not stopped, a command fails, and it is not started twice', async (t) => {
  const spec = await webSpec({ instances: 1 });
  const daemon = await startedDaemon(t, [spec]);
  const [before] = (await daemon.ask('list')).apps;
  const { primaryPid } = before;
  process.kill(primaryPid, 'SIGSTOP');
  const specs = [{ ...spec, maxRestarts: 3 }];
  t.match(await daemon.ask('apply', { specs, action: 'apply' }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: /does not answer.*kill -9/ }] }],
  });
  t.match(await daemon.view('web'), { status: 'unknown', note: /does not answer/ });
  await killed(daemon.child.pid);
  daemon.spawnDaemon();
  t.match(await daemon.view('web'), { status: 'unknown', primaryPid, note: /does not answer/ });
  t.match(await daemon.ask('restart', { selectors: ['web'] }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: /does not answer/ }] }],
  });
  process.kill(primaryPid, 'SIGCONT');
  const after = await daemon.online();
  t.equal(after.primaryPid, primaryPid);
  t.strictSame(pidsOf(after), pidsOf(before));
});

t.test('it is replaced in the end; one that runs again before that is not', async (t) => {
  const specs = [
    await webSpec({ instances: 1, scheduling: 'round-robin' }),
    await webSpec({ instances: 1, name: 'late' }),
  ];
  const daemon = await startedDaemon(t, specs);
  const [frozen, late] = (await daemon.ask('list')).apps;
  for (const { primaryPid } of [frozen, late]) process.kill(primaryPid, 'SIGSTOP');
  await until(async () => (await daemon.view('web')).status === 'unknown', 'it to be unknown');
  const { apps } = await daemon.ask('list');
  const { live, ready, startup } = judgeProbes(apps, { now: Date.now() });
  t.match(live, { ok: false, reasons: [{ app: 'web', reason: /^primary \d+ does not answer/ }] });
  t.match([ready, startup], [{ ok: false }, { ok: true }]);
  process.kill(late.primaryPid, 'SIGCONT');
  t.match(await daemon.ask('reload', { selectors: ['web'] }), {
    apps: [{ ok: false, failed: [{ reason: /was stopped by a signal.*kill -9/ }] }],
  });
  const next = await daemon.replaced(frozen.primaryPid);
  t.notOk(isRunning(frozen.primaryPid));
  t.not(next.workers[0].pid, frozen.workers[0].pid);
  t.match(daemon.log(), /"primary\.frozen".*"does":"was stopped by a signal"/);
  const { primaryPid } = late;
  t.strictSame(
    pidsOf(await daemon.online('late', (app) => app.primaryPid === primaryPid)),
    pidsOf(late),
  );
});

for (const how of [{ execMode: 'fork', interpreter: process.execPath }, { execMode: 'cluster' }]) {
  const { execMode } = how;
  t.test(`a daemon that has never reached it ends its workers (${execMode})`, async (t) => {
    const short = { ...how, instances: 1, drainTimeoutMs: 0, killTimeoutMs: 500 };
    const specs = [await webSpec(short), await webSpec({ ...short, name: 'other' })];
    const daemon = await startedDaemon(t, specs);
    const { apps } = await daemon.ask('list');
    const workers = apps.flatMap(pidsOf);
    t.equal(workers.filter(isRunning).length, 2);
    const isRecorded = ({ name, workers: [{ pid }] }) =>
      workersIn(readRecord(daemon.place(name).record).record)
        .get(name)
        .some((recorded) => recorded.pid === pid);
    await until(() => apps.every(isRecorded), 'the workers to be on the disk');
    for (const { primaryPid } of apps) process.kill(primaryPid, 'SIGSTOP');
    if (execMode === 'cluster') for (const pid of workers) process.kill(pid, 'SIGSTOP');
    await killed(daemon.child.pid);
    daemon.spawnDaemon();
    await daemon.ask('kill');
    await until(() => !workers.some(isRunning), 'the workers to end');
  });
}

for (const [scheduling, isSeenSilent] of [
  ['fair', false],
  ['round-robin', true],
]) {
  const when = isSeenSilent ? 'later' : 'at once';
  t.test(`${scheduling}: it is silent during an update, and killed ${when}`, async (t) => {
    const daemon = await startedDaemon(t, [await webSpec({ instances: 2, scheduling })]);
    const [{ primaryPid, workers }] = (await daemon.ask('list')).apps;
    const port = Number(workers[0].listening[0].address.split(':').at(-1));
    process.kill(primaryPid, 'SIGSTOP');
    daemon.spawnDaemon({}, 'update');
    const { pid } = daemon.child;
    await until(async () => (await daemon.ask('ping')).pid !== pid, 'the next daemon');
    const isGivenUp = async () => (await daemon.view('web')).status === 'unknown';
    if (isSeenSilent) await until(isGivenUp, 'the daemon to see that it is silent');
    killNow(primaryPid);
    const load = startLoad(t, { port, clients: 2, keepAlive: false });
    await daemon.replaced(primaryPid);
    await load.answers(20);
    t.match(await load.stop(), { failures: [] }, 'the next daemon has its sockets');
  });
}
