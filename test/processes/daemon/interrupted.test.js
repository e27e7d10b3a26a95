/**
 * Commands whose daemon or primary is killed in the middle, or that lose the connection between them: finished or
 * undone, nothing in between.
 */
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { judgeProbes } from '../../../src/show/probe-policy.js';
import { readRecord, workersIn } from '../../../src/shared/processes/primary-record.js';
import { app as fixture } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { gated, killNow, killed, pidsOf, startedDaemon, webSpec } from '../daemon-under-test.js';

// They wait more than they work.
t.jobs = 3;

/** As if the daemon had died between a write to desired.json and its request: `next` starts one that reads the change. */
async function betweenDaemons(t, specs) {
  const daemon = await startedDaemon(t, specs);
  const { apps } = await daemon.ask('list');
  // Not killed: its primary would start the next one before the file is changed.
  for (const { primaryPid } of apps) process.kill(primaryPid, 'SIGSTOP');
  await killed(daemon.child.pid);
  const wake = () => apps.forEach(({ primaryPid }) => process.kill(primaryPid, 'SIGCONT'));
  const next = (change) => {
    const written = JSON.parse(daemon.desired());
    change(written.apps[0]);
    writeFileSync(daemon.paths.desired, JSON.stringify(written));
    daemon.spawnDaemon();
  };
  return { ...daemon, next, wake, apps };
}

t.test('an interrupted restart with another primary is completed', async (t) => {
  const daemon = await betweenDaemons(t, [await webSpec({ instances: 1 })]);
  const [{ primaryPid }] = daemon.apps;
  daemon.wake();
  daemon.next((web) => {
    web.spec.scheduling = 'round-robin';
    web.generation += 1;
  });
  await daemon.replaced(primaryPid);
  const { apps } = await daemon.ask('list', { selectors: ['web'], fields: ['details'] });
  t.match(apps, [{ generation: 2, scheduling: 'round-robin' }]);
  await until(() => !isRunning(primaryPid), 'the first one to exit');
});

t.test('settings that a primary missed reach it when it is found', async (t) => {
  const spec = await webSpec({ instances: 1 });
  const daemon = await betweenDaemons(t, [spec]);
  const [{ primaryPid }] = daemon.apps;
  daemon.next((web) => (web.spec.maxRestarts = 3));
  await until(async () => (await daemon.view('web')).status === 'unknown', 'it to be unknown');
  const specs = [{ ...spec, maxRestarts: 3, killTimeoutMs: 20_000 }];
  t.match(await daemon.ask('apply', { specs, action: 'apply' }), {
    apps: [{ action: 'configure', ok: false, failed: [{ reason: /does not answer/ }] }],
  });
  t.match(await daemon.ask('scale', { selector: 'web', instances: '2' }), {
    apps: [{ ok: false }],
  });
  const { killTimeoutMs } = spec;
  t.match(daemon.saved(), [{ spec: { killTimeoutMs, instances: 1 }, slots: [0] }]);

  daemon.wake();
  const hasSettings = async () => {
    const { apps } = await daemon.ask('list', { selectors: ['web'], fields: ['details'] });
    return apps[0].spec?.maxRestarts === 3 && apps[0].status === 'online' && apps[0];
  };
  t.match(await until(hasSettings, 'the primary to have the settings'), {
    ...{ generation: 1, primaryPid, spec: { killTimeoutMs } },
    workers: [{ generation: 1, restarts: 0 }],
  });
});

for (const signal of ['SIGKILL', 'SIGTERM']) {
  t.test(
    `${signal}: a reload that adds a worker too is completed by the next daemon`,
    async (t) => {
      const daemon = await startedDaemon(t);
      const web = await gated(daemon, { instances: 1 });
      await daemon.ask('start', { specs: [web.spec] });
      web.close();
      const spec = { ...web.spec, instances: 2, env: { ...web.spec.env, VERSION: '2' } };
      const client = await daemon.dial();
      await new Promise((resolve) => {
        const onNotification = (_method, { kind }) => kind === 'starting' && resolve();
        const order = { specs: [spec], action: 'apply' };
        client.request('apply', order, { onNotification }).catch(() => {});
      });
      daemon.child.kill(signal);
      await once(daemon.child, 'exit');
      web.open();
      const hasBoth = ({ workers, generation }) =>
        workers.length === 2 && generation === 2 && daemon.saved()[0].rollout === null;
      await daemon.online('web', hasBoth);
      t.match(daemon.saved(), [{ spec: { instances: 2, env: { VERSION: '2' } }, slots: [0, 1] }]);
      const reason = /The daemon is shutting down and did not finish the command on web/;
      t.equal(reason.test(daemon.log()), signal === 'SIGTERM');
      t.notMatch(daemon.log(), 'nodecluster kill');
    },
  );
}

/** An app whose reload has begun: the worker of the second version does not say 'ready' yet. */
async function reloading(t) {
  const daemon = await startedDaemon(t);
  const folder = (name) => path.join(daemon.root, name);
  const tellReady = (name) => writeFileSync(path.join(folder(name), 'READY_0'), '');
  for (const name of ['one', 'two']) mkdirSync(folder(name));
  tellReady('one');
  const ready = { waitReady: true, listenTimeoutMs: 600_000, instances: 1 };
  const one = await webSpec({ script: fixture('ready-when-file-exists.cjs'), ...ready });
  one.env.FOLDER = folder('one');
  const two = { ...one, env: { ...one.env, FOLDER: folder('two') } };
  t.match(await daemon.ask('start', { specs: [one] }), { apps: [{ ok: true }] });
  const { primaryPid } = await daemon.view('web');
  const reloaded = daemon.ask('apply', { specs: [two], action: 'reload' });
  reloaded.catch(() => {});
  await until(() => existsSync(path.join(folder('two'), 'LISTENS_0')), 'the second version');
  const folderShown = async () => {
    const { apps } = await daemon.ask('env', { selectors: ['web'] });
    return path.basename(apps[0].env.FOLDER.value);
  };
  return { ...daemon, primaryPid, two, reloaded, tellReady, folderShown };
}

for (const withDaemon of [false, true]) {
  const who = withDaemon ? 'daemon and primary' : 'the primary';
  t.test(`${who} killed during a reload: the failed reload is not completed later`, async (t) => {
    const app = await reloading(t);
    if (withDaemon) killNow(app.child.pid);
    killNow(app.primaryPid);
    if (withDaemon) {
      await killed(app.child.pid);
      app.spawnDaemon();
    } else {
      t.match(await app.reloaded, { apps: [{ ok: false }] });
    }
    await app.replaced(app.primaryPid);
    await killed((await app.ask('ping')).pid);
    app.spawnDaemon();
    await app.dial();
    await until(() => app.saved()[0].rollout === null, 'the next daemon to know what runs');
    t.equal(await app.folderShown(), 'one');
    const { plan } = await app.ask('apply', { specs: [app.two], action: 'reload', dryRun: true });
    t.match(plan, [{ action: 'reload' }], 'the second version is still to come');
  });
}

t.test('a reload that its primary did not survive has failed', async (t) => {
  const daemon = await startedDaemon(t);
  const web = await gated(daemon, { instances: 1 });
  await daemon.ask('start', { specs: [web.spec] });
  web.close();
  const { primaryPid } = await daemon.view('web');
  const onNotification = (_method, { kind }) => kind === 'starting' && killNow(primaryPid);
  const lost = await daemon.ask('reload', { selectors: ['web'] }, { onNotification });
  web.open();
  const reason = /primary process of web exited/;
  t.match(lost, { apps: [{ ok: false, failed: [{ slot: null, reason }] }] });
  await daemon.replaced(primaryPid);
  const canary = { instances: 1, forMs: 1000, max5xx: 0.01, maxP99: 1000 };
  const spec = { ...web.spec, scheduling: 'sticky' };
  const refused = await daemon.ask('apply', { specs: [spec], action: 'reload', canary });
  t.match(refused, { apps: [{ ok: false, failed: [{ reason: /canary/i }] }] });
  t.match(await daemon.ask('reload', { selectors: ['web'] }), { apps: [{ ok: true }] });
});

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
