/** Stops, and starts of what has been stopped. */
import t from 'tap';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app as fixture } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { commandOf, killAll, processesOf } from '../../support/processes.js';
import { until, within } from '../../support/until.js';
import { startedDaemon, webSpec } from '../daemon-under-test.js';

const ANSWERS_WHEN_RELEASED = `
  const { existsSync, writeFileSync } = require('node:fs');
  const { RELEASE, PORT } = process.env;
  require('node:http').createServer((request, response) => {
    writeFileSync(RELEASE + '.asked', '');
    const timer = setInterval(() => {
      if (!existsSync(RELEASE)) return;
      clearInterval(timer);
      response.end('{"ok":true}');
    }, 20);
  }).listen(Number(PORT));`;

t.test('a drain goes on when the daemon exits', async (t) => {
  const daemon = await startedDaemon(t);
  const [script, release] = ['app.cjs', 'release'].map((name) => path.join(daemon.root, name));
  writeFileSync(script, ANSWERS_WHEN_RELEASED);
  const spec = await webSpec({ instances: 1, script, drainTimeoutMs: 600_000 });
  spec.env.RELEASE = release;
  await daemon.ask('start', { specs: [spec] });
  const answer = ask(Number(spec.env.PORT));
  answer.catch(() => {});
  await until(() => existsSync(`${release}.asked`), 'the request to reach the worker');
  const client = await daemon.dial();
  const draining = new Promise((resolve) => {
    const onNotification = (_method, { kind }) => kind === 'draining' && resolve();
    client.request('delete', { selectors: ['web'] }, { onNotification }).catch(() => {});
  });
  await within(draining, 'the drain to begin');
  daemon.child.kill('SIGTERM');
  t.strictSame(await once(daemon.child, 'exit'), [null, 'SIGKILL']);
  writeFileSync(release, '');
  t.strictSame(await answer, { ok: true });
  // On a busy machine the primary may have started the next daemon meanwhile.
  const isDaemon = (pid) => commandOf(pid).includes('nodecluster: daemon');
  await until(() => processesOf(daemon.root).every(isDaemon), 'every other process to end');
});

t.test('a program that does not run starts again with what is given now', async (t) => {
  const daemon = await startedDaemon(t);
  const spec = await webSpec();
  const start = async (overrides) => {
    const plans = [];
    const onNotification = (kind, payload) => kind === 'plan' && plans.push(payload.plan);
    const specs = [{ ...spec, ...overrides }];
    const { apps } = await daemon.ask('start', { specs }, { onNotification });
    return { apps, plans };
  };
  t.match(await start({}), { apps: [{ ok: true, done: [0, 1] }], plans: [[{ changes: [] }]] });
  const conflict = { name: 'web', reason: 'running', keys: ['args'] };
  await t.rejects(start({ args: ['x'] }), { code: 'E_APP_EXISTS', data: conflict });
  const other = { script: fixture('exits-1.cjs') };
  await t.rejects(start(other), { data: { reason: 'program' } });

  await daemon.ask('stop', { selectors: ['web'] });
  const instances = { key: 'instances', from: 2, to: 3 };
  t.match(await start({ instances: 3, maxRestarts: 0 }), {
    apps: [{ action: 'start', ok: true, done: [0, 1, 2] }],
    plans: [[{ changes: [instances, { key: 'max_restarts', to: 0 }] }]],
  });
  await daemon.ask('kill');
  await daemon.start();
  await t.rejects(start({ configFile: '/a.yml' }), { data: { reason: 'file' } });
  t.match(await start({ instances: 1 }), { apps: [{ ok: true, done: [0] }] });
  await daemon.ask('delete', { selectors: ['all'] });

  const failing = { ...other, name: 'web', maxRestarts: 0, instances: 1, minUptimeMs: 50 };
  t.match(await start(failing), { apps: [{ ok: false, failed: [{ id: 0 }] }] }, 'ids from 0');
  t.match(await daemon.view('web'), { status: 'errored' });
  t.match(await start({ ...failing, args: ['now'], autorestart: false }), {
    apps: [{ ok: false, failed: [{ id: 0 }] }],
    plans: [[{ changes: [{ key: 'args' }, { key: 'autorestart' }] }]],
  });
});

t.test(
  'what runs, is being started, or comes back after a power cut is not started twice',
  async (t) => {
    const daemon = await startedDaemon(t);
    const spec = await webSpec();
    const start = (change) => daemon.ask('start', { specs: [{ ...spec, ...change }] });
    const isUp = { apps: [{ ok: true, done: [0, 1], failed: [] }] };
    t.match(await Promise.all([start(), start()]), [isUp, isUp], 'side by side');
    const { workers } = await daemon.view('web');
    t.match(await start(), isUp);
    t.match(await daemon.view('web'), { workers: workers.map(({ pid }) => ({ pid })) });
    await t.rejects(start({ args: ['x'] }), { code: 'E_APP_EXISTS' }, 'it has other settings');

    await killAll(daemon.root);
    await daemon.start();
    const [again, changed] = await Promise.all([start(), start({ args: ['x'] })]);
    t.match(again, isUp);
    const exists = { slot: null, reason: /^App web already runs .*args/ };
    t.match(changed, { apps: [{ ok: false, failed: [exists] }] }, 'the same as before the cut');
    t.equal(processesOf(daemon.root).length, 4, 'a daemon, a primary and two workers');
  },
);

t.test('a file starts what comes back after a power cut, once', async (t) => {
  const daemon = await startedDaemon(t);
  const file = '/apps.yml';
  const gate = await webSpec({ name: 'gate', instances: 1, configFile: file });
  const dependsOn = { gate: 'ready' };
  const spec = await webSpec({ instances: 1, configFile: file, dependsOn });
  const off = await webSpec({ name: 'off', instances: 1, configFile: file });
  const specs = [gate, spec];
  await daemon.ask('apply', { specs: [...specs, off], file, action: 'start' });
  await daemon.ask('stop', { selectors: ['off'] });
  await killAll(daemon.root);
  await daemon.start();
  const { apps } = await daemon.ask('apply', { specs, file, action: 'start' });
  t.match(apps, [{ ok: true }, { ok: true }]);
  t.match((await daemon.ask('list')).apps, [
    { status: 'online', workers: [{ restarts: 0 }] },
    { status: 'online', workers: [{ restarts: 0 }] },
    { status: 'stopped' },
  ]);
});

t.test('a start that another one comes before leaves its settings, and says so', async (t) => {
  const daemon = await startedDaemon(t);
  const spec = await webSpec({ instances: 1, configFile: '/apps.yml' });
  const plans = [];
  const onNotification = (kind, payload) => kind === 'plan' && plans.push(payload.plan);
  const start = (args) => {
    const order = { specs: [{ ...spec, args }], file: '/apps.yml', action: 'start' };
    return daemon.ask('apply', order, { onNotification });
  };
  const outcomes = await Promise.all([start([]), start(['x'])]);
  t.match(outcomes, [{ apps: [{ ok: true }] }, { apps: [{ ok: true, rolledBack: [] }] }]);
  t.match(plans.at(-1), [{ app: 'web', action: 'none', pending: true }]);
  t.match(await daemon.view('web'), { generation: 1 });
});

t.test('kill remembers what ran', async (t) => {
  const names = ['left', 'part', 'stopped'];
  const specs = await Promise.all(names.map((name) => webSpec({ name })));
  const daemon = await startedDaemon(t, specs);
  await daemon.ask('stop', { selectors: ['stopped', 'part:1'] });
  const remembered = ['left', 'part'];
  t.strictSame(await daemon.ask('kill'), { apps: remembered, remembered });
  await daemon.start();
  t.match(
    (await daemon.ask('list')).apps,
    names.map(() => ({ status: 'stopped' })),
  );
  t.strictSame(await daemon.ask('kill'), { apps: [], remembered }, 'nothing ran in between');

  await daemon.start();
  t.match((await daemon.ask('resume', { selectors: ['all'] })).apps, [
    { name: 'left', ok: true, done: [0, 1] },
    { name: 'part', ok: true, done: [2] },
  ]);
  t.match(await daemon.view('part'), { workers: [{ status: 'online' }, { status: 'stopped' }] });
  await daemon.ask('kill');
  await daemon.start();
  await daemon.ask('stop', { selectors: ['part'] });
  t.match(
    (await daemon.ask('resurrect')).apps,
    [{ name: 'left', ok: true }],
    'part is stopped now',
  );
  t.match(
    (await daemon.ask('resume', { selectors: ['all'] })).apps,
    names.map((name) => ({ name, ok: true })),
    'all, once nothing is remembered',
  );
});

t.test(
  'a start of a file leaves a stopped worker stopped, beside one that has failed',
  async (t) => {
    const daemon = await startedDaemon(t);
    const file = '/apps.yml';
    const change = { configFile: file, script: fixture('exits-1.cjs'), autorestart: false };
    const specs = [await webSpec({ instances: 2, ...change })];
    const start = () => daemon.ask('apply', { specs, file, action: 'start' });
    await start();
    await daemon.ask('stop', { selectors: ['web:1'] });
    t.match(await start(), { apps: [{ action: 'start', ok: false, failed: [{ slot: 0 }] }] });
    t.match((await daemon.view('web')).workers, [{ status: 'errored' }, { status: 'stopped' }]);
  },
);
