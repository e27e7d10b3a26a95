/** Small apps share one primary process, and nothing else. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { attempt } from '../../../../src/errors/error.js';
import { app as fixture } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { startLoad } from '../../../support/http-load.js';
import { freePort } from '../../../support/ports.js';
import { isRunning } from '../../../support/processes.js';
import { until } from '../../../support/until.js';
import { killNow, pidsOf, startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

t.jobs = 2;

const primaryOf = ({ primaryPid }) => primaryPid;
const FORK = { execMode: 'fork', interpreter: process.execPath, instances: 1, minUptimeMs: 100 };

const forked = async (name, { env = {}, ...change } = {}) => {
  const own = { PORT: String(await freePort()), ...env };
  return testSpec({ ...FORK, name, script: fixture('writes-on-demand.cjs'), env: own, ...change });
};

t.test('each app comes and goes, the process exits with the last one', async (t) => {
  const daemon = await startedDaemon(t);
  const names = ['a', 'b', 'c'];
  const specs = await Promise.all(names.map((name) => forked(name)));
  t.match(await daemon.ask('start', { specs: [...specs, await webSpec()] }), {
    apps: Array(4).fill({ ok: true }),
  });
  const [a, b, c, web] = (await daemon.ask('list')).apps;
  t.equal(a.primaryPid, b.primaryPid);
  t.equal(a.primaryPid, c.primaryPid);
  t.not(a.primaryPid, web.primaryPid);

  await daemon.ask('delete', { selectors: ['a'] });
  t.notOk(isRunning(pidsOf(a)[0]));
  t.strictSame(pidsOf(await daemon.view('b')), pidsOf(b));
  await daemon.ask('start', { specs: [await forked('d'), await forked('a')] });
  t.equal((await daemon.view('d')).primaryPid, b.primaryPid, 'its first app may be gone');
  t.equal((await daemon.view('a')).primaryPid, b.primaryPid);

  await daemon.ask('stop', { selectors: ['b'] });
  t.match(await daemon.view('b'), { status: 'stopped', primaryPid: null });
  // The primary forgets it first, and writes that afterwards.
  await until(() => attempt(() => !daemon.place('b'), true), 'no record to say that it is there');
  await daemon.ask('restart', { selectors: ['b'] });
  t.equal((await daemon.view('b')).primaryPid, c.primaryPid);
  await daemon.ask('stop', { selectors: ['a', 'b', 'c', 'd'] });
  await until(() => !isRunning(c.primaryPid), 'the process to exit');
  t.ok(isRunning(web.primaryPid));
});

t.test(
  'one app floods its log, one crashes in a loop, one does not stop: no other notices',
  async (t) => {
    const daemon = await startedDaemon(t);
    const folder = path.join(daemon.root, 'flood');
    mkdirSync(folder);
    const flood = { FLOOD: folder, LINES: '100000', LINE_BYTES: '250', THEN: 'exit' };
    const specs = await Promise.all([
      forked('calm'),
      forked('flood', { script: fixture('floods-log.cjs'), env: flood }),
      forked('loop', { script: fixture('exits-1.cjs'), maxRestarts: 1000 }),
      forked('stubborn', { script: fixture('ignores-sigterm.cjs'), killTimeoutMs: 1000 }),
    ]);
    await daemon.ask('start', { specs });
    const calm = await daemon.view('calm');
    writeFileSync(path.join(folder, 'go'), '');
    const logged = () => readFileSync(daemon.paths.logFile('calm', 'out'), 'utf8');
    const isFlooding = () => !existsSync(path.join(folder, 'written-0.json'));
    let lines = 0;
    while (isFlooding()) {
      await ask(calm.workers[0].listening[0].address.split(':').at(-1), `/line-${lines}`);
      await until(() => logged().includes(`line-${lines}`), 'its line in the log');
      lines += 1;
    }
    t.ok(lines > 0, 'while another app wrote 25 MB, each line of this one arrived');
    t.match(await daemon.ask('delete', { selectors: ['stubborn'] }), { apps: [{ ok: true }] });
    t.ok((await daemon.view('loop')).workers[0].restarts > 0);
    const after = await daemon.view('calm');
    t.match(after, { status: 'online', primaryPid: calm.primaryPid, workers: [{ restarts: 0 }] });
    t.strictSame(pidsOf(after), pidsOf(calm));
  },
);

const replaced = (daemon, primaryPid) =>
  until(async () => {
    const { apps } = await daemon.ask('list');
    const isBack = (app) => app.status === 'online' && app.primaryPid !== primaryPid;
    return apps.every(isBack) && apps;
  }, 'the next primary');

t.test('killed, it is replaced with all its apps', async (t) => {
  const daemon = await startedDaemon(t, [await forked('a'), await forked('b')]);
  const { apps } = await daemon.ask('list');
  killNow(apps[0].primaryPid);
  const back = await replaced(daemon, apps[0].primaryPid);
  t.equal(back[0].primaryPid, back[1].primaryPid);
  t.notOk(apps.flatMap(pidsOf).some(isRunning), 'the old workers have ended');
});

const servers = (names, change = {}) =>
  Promise.all(names.map((name) => webSpec({ name, minUptimeMs: 100, ...change })));
const loadOn = (t, { env }) =>
  startLoad(t, { port: Number(env.PORT), clients: 4, keepAlive: false });

t.test('in cluster mode: small ones do, others and those of round-robin do not', async (t) => {
  const small = await servers(['a', 'b']);
  const [large] = await servers(['large'], { instances: 5 });
  const [turns] = await servers(['turns'], { scheduling: 'round-robin' });
  const daemon = await startedDaemon(t, [...small, large, turns, await forked('fork')]);
  const [a, b, ...alone] = (await daemon.ask('list')).apps.map(primaryOf);
  t.equal(a, b);
  t.equal(new Set([a, ...alone]).size, 4);

  const same = { ...(await webSpec({ name: 'same', listenTimeoutMs: 2000 })), env: small[0].env };
  const { apps } = await daemon.ask('start', { specs: [same] });
  t.match(apps, [{ ok: false, failed: [{ reason: /in use by a$/ }] }]);
  t.equal(primaryOf(await daemon.view('same')), a, 'the same process does not share its socket');
  const { pid } = await ask(small[0].env.PORT, '/');
  t.ok(pidsOf(await daemon.view('a')).includes(pid));
});

t.test('in cluster mode: one gets another primary under load, and joins one', async (t) => {
  const specs = await servers(['a', 'b', 'c'], { instances: 1 });
  const alone = specs.slice(0, 2).map((spec) => ({ ...spec, scheduling: 'round-robin' }));
  const daemon = await startedDaemon(t, [...alone, specs[2]]);
  const first = primaryOf(await daemon.view('c'));
  const loads = specs.map((spec) => loadOn(t, spec));
  for (const load of loads) await load.answers(20);
  for (const spec of specs.slice(0, 2)) {
    const change = { action: 'apply', specs: [spec] };
    t.match(await daemon.ask('apply', change), { apps: [{ ok: true }] });
  }
  const [a, b, c] = (await daemon.ask('list')).apps.map(primaryOf);
  t.equal(c, first);
  t.same([a, b], [c, c], 'their successors join it, with the sockets');
  killNow(a);
  await replaced(daemon, a);
  for (const load of loads) {
    await load.answers(20);
    t.match(await load.stop(), { failed: 0, failures: [] });
  }
});

t.test('a restart that needs another primary refuses no connection', async (t) => {
  const spec = await webSpec();
  const daemon = await startedDaemon(t, [spec]);
  for (const scheduling of ['round-robin', 'fair']) {
    const { primaryPid } = await daemon.view('web');
    let isDone = false;
    const order = { specs: [{ ...spec, scheduling }], action: 'restart' };
    const restarted = daemon.ask('apply', order).finally(() => (isDone = true));
    const refused = [];
    while (!isDone) {
      const failure = await ask(Number(spec.env.PORT)).then(
        () => null,
        ({ code }) => code,
      );
      if (failure === 'ECONNREFUSED') refused.push(failure);
    }
    t.match(await restarted, { apps: [{ action: 'restart', ok: true, done: [0, 1] }] });
    t.same(refused, [], scheduling);
    t.not((await daemon.view('web')).primaryPid, primaryPid);
  }
  await daemon.ask('stop', { selectors: ['web'] });
  await t.rejects(ask(Number(spec.env.PORT)), { code: 'ECONNREFUSED' }, 'and a stop does');
});
