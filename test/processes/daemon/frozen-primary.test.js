/** A primary that is stopped by a signal: commands fail, it is never started twice, and is replaced. */
import t from 'tap';
import { judgeProbes } from '../../../src/lifecycle/probe-policy.js';
import { readRecord, workersIn } from '../../../src/shared/processes/primary-record.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { killed, startedDaemon, webSpec } from '../daemon-under-test.js';

// Each waits for replies that do not come: they do so together.
t.jobs = 3;

const pidsOf = ({ workers }) => workers.map(({ pid }) => pid);

t.test('a command to a primary that hangs fails and says what to do', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const { primaryPid } = await daemon.view('web');
  process.kill(primaryPid, 'SIGSTOP');
  t.match(await daemon.ask('reload', { selectors: ['web'] }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: /does not answer.*kill -9/ }] }],
  });
  t.match(await daemon.view('web'), { status: 'unknown', note: /does not answer/ });
  process.kill(primaryPid, 'SIGCONT');
  await until(async () => (await daemon.view('web')).status === 'online', 'it to be found again');
  t.equal((await daemon.view('web')).primaryPid, primaryPid);
});

t.test(
  'a primary that does not answer is unknown, not stopped, and not started twice',
  async (t) => {
    const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
    const before = await daemon.ask('list');
    const { primaryPid } = before.apps[0];
    process.kill(primaryPid, 'SIGSTOP');
    await killed(before.daemon.pid);
    daemon.spawnDaemon();
    t.match(await daemon.view('web'), { status: 'unknown', primaryPid, note: /does not answer/ });
    t.match(await daemon.ask('restart', { selectors: ['web'] }), {
      apps: [{ ok: false, failed: [{ slot: null, reason: /does not answer/ }] }],
    });
    process.kill(primaryPid, 'SIGCONT');
    const after = await until(async () => {
      const view = await daemon.view('web');
      return view.status === 'online' && view;
    }, 'the primary to be found');
    t.equal(after.primaryPid, primaryPid);
    t.strictSame(pidsOf(after), pidsOf(before.apps[0]));
  },
);

t.test(
  'a frozen primary is unknown, and then replaced; one that runs again before that is not',
  async (t) => {
    const specs = [
      await webSpec({ instances: 1, name: 'frozen', scheduling: 'round-robin' }),
      await webSpec({ instances: 1, name: 'late' }),
    ];
    const daemon = await startedDaemon(t, specs);
    const frozen = await daemon.view('frozen');
    const late = await daemon.view('late');
    process.kill(frozen.primaryPid, 'SIGSTOP');
    process.kill(late.primaryPid, 'SIGSTOP');
    await until(async () => (await daemon.view('frozen')).status === 'unknown', 'it to be unknown');
    const { apps } = await daemon.ask('list');
    const { live, ready, startup } = judgeProbes(apps, { now: Date.now() });
    t.match(live, {
      ok: false,
      reasons: [{ app: 'frozen', reason: /^primary \d+ does not answer/ }],
    });
    t.match([ready, startup], [{ ok: false }, { ok: true }]);
    process.kill(late.primaryPid, 'SIGCONT');
    const refused = await daemon.ask('reload', { selectors: ['frozen'] });
    t.match(refused.apps[0], {
      ok: false,
      failed: [{ reason: /was stopped by a signal.*kill -9/ }],
    });
    const next = await until(async () => {
      const view = await daemon.view('frozen');
      return view.status === 'online' && view.primaryPid !== frozen.primaryPid && view;
    }, 'the next one');
    t.notOk(isRunning(frozen.primaryPid));
    t.not(next.workers[0].pid, frozen.workers[0].pid);
    t.match(daemon.log(), /"primary\.frozen".*"does":"was stopped by a signal"/);
    t.match(await daemon.view('late'), { status: 'online', primaryPid: late.primaryPid });
    t.strictSame(pidsOf(await daemon.view('late')), pidsOf(late));
  },
);

for (const how of [{ execMode: 'fork', interpreter: process.execPath }, { execMode: 'cluster' }]) {
  const { execMode } = how;
  t.test(`a daemon that never heard a frozen primary ends its workers (${execMode})`, async (t) => {
    const short = { ...how, instances: 1, drainTimeoutMs: 0, killTimeoutMs: 500 };
    const specs = [await webSpec(short), await webSpec({ ...short, name: 'other' })];
    const daemon = await startedDaemon(t, specs);
    const before = await daemon.ask('list');
    const workers = before.apps.flatMap(pidsOf);
    t.equal(workers.filter(isRunning).length, 2);
    const isRecorded = ({ name, workers: [{ pid }] }) =>
      workersIn(readRecord(daemon.place(name).record).record)
        .get(name)
        .some((recorded) => recorded.pid === pid);
    await until(() => before.apps.every(isRecorded), 'the workers to be on the disk');
    for (const { primaryPid } of before.apps) process.kill(primaryPid, 'SIGSTOP');
    if (execMode === 'cluster') for (const pid of workers) process.kill(pid, 'SIGSTOP');
    await killed(before.daemon.pid);
    daemon.spawnDaemon();
    await daemon.ask('kill');
    await until(() => !workers.some(isRunning), 'the workers to end');
  });
}
