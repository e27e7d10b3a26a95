import t from 'tap';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ask } from '../../../support/http-ask.js';
import { app as fixture } from '../../../support/home.js';
import { until } from '../../../support/until.js';
import { startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

t.test('every command on one app', async (t) => {
  const daemon = await startedDaemon(t);
  const spec = await webSpec({ env: { PORT: (await webSpec()).env.PORT, API_TOKEN: 'hidden' } });
  const events = [];
  const onNotification = (_method, event) => events.push(event);
  const started = await daemon.ask('start', { specs: [spec] }, { onNotification });
  t.match(started.apps, [{ name: 'web', action: 'start', ok: true, done: [0, 1], failed: [] }]);
  t.ok(events.some(({ app, kind, slot, id }) => app === 'web' && kind === 'online' && id === slot));
  const twins = [testSpec({ name: 'twin' }), testSpec({ name: 'twin' })];
  await t.rejects(daemon.ask('start', { specs: twins }), { code: 'E_NAME_TWICE' });

  const { daemon: self, apps } = await daemon.ask('list', { fields: ['usage'] });
  t.match(self, { pid: Number, version: String });
  t.match(apps, [{ name: 'web', status: 'online', mode: 'cluster', instances: 2, generation: 1 }]);
  for (const worker of apps[0].workers) {
    t.match(worker, {
      id: worker.slot,
      pid: Number,
      status: 'online',
      cpu: Number,
      memory: Number,
    });
    t.ok(worker.memory > 1e6 && worker.startedAt <= Date.now());
  }

  const client = await daemon.dial();
  const waits = [];
  const all = ['reload web', 'reload all', 'stop web:1'].map((line) => {
    const [method, selector] = line.split(' ');
    return client.request(
      method,
      { selectors: [selector] },
      { onNotification: (_method, event) => event.kind === 'waiting' && waits.push(event) },
    );
  });
  t.match(await Promise.all(all), [
    { apps: [{ ok: true, done: [0, 1] }] },
    { apps: [{ ok: true, done: [0, 1] }] },
    { apps: [{ ok: true, done: [1] }] },
  ]);
  const waiting = { app: 'web', kind: 'waiting', reason: 'until its reload is done' };
  t.strictSame(waits, [waiting, waiting]);
  t.match(await daemon.view('web'), {
    generation: 3,
    workers: [{ status: 'online' }, { status: 'stopped', pid: null }],
  });
  t.match(await daemon.ask('resume', { selectors: ['1'] }), { apps: [{ ok: true, done: [1] }] });

  t.match(await daemon.ask('scale', { selector: 'web', instances: '+1' }), {
    apps: [{ ok: true, done: [2] }],
  });
  t.match(await daemon.ask('delete', { selectors: ['web:1'] }), {
    apps: [{ ok: true, done: [1] }],
  });
  t.match(await daemon.view('web'), { instances: 2, workers: [{ slot: 0 }, { slot: 2, id: 2 }] });
  await t.rejects(daemon.ask('scale', { selector: 'web:0', instances: '1' }), {
    code: 'E_SCALE_SELECTOR',
  });
  await daemon.ask('start', { specs: [await webSpec({ name: 'one', instances: 1 })] });
  for (const selector of ['one:0', '3']) {
    const refused = daemon.ask('scale', { selector, instances: '2' });
    await t.rejects(refused, { code: 'E_SCALE_SELECTOR' }, 'also of an app with one worker');
  }
  await daemon.ask('delete', { selectors: ['one'] });

  const masked = await daemon.ask('env', { selectors: ['web'] });
  t.match(masked.apps[0].env, {
    API_TOKEN: { value: '********', from: 'file' },
    PATH: { from: 'shell' },
  });
  const shown = await daemon.ask('env', { selectors: ['web'], showSecrets: true });
  t.equal(shown.apps[0].env.API_TOKEN.value, 'hidden');
  const { apps: described } = await daemon.ask('list', { selectors: ['web'], fields: ['details'] });
  t.match(described, [{ name: 'web', lastReload: { ok: true }, logs: { out: [/web-out\.log$/] } }]);
  t.notMatch(JSON.stringify(described), /hidden/);

  const [{ workers: before }] = (await daemon.ask('list')).apps;
  t.match(await daemon.ask('restart', { selectors: ['all'], table: ['usage'] }), {
    apps: [{ ok: true, done: [0, 2] }],
    table: [{ name: 'web', workers: [{ memory: Number }, { status: 'online' }] }],
  });
  const [{ workers: after }] = (await daemon.ask('list')).apps;
  t.notOk(after.some(({ pid }) => before.some((worker) => worker.pid === pid)));

  t.match(await daemon.ask('stop', { selectors: ['web'] }), { apps: [{ ok: true, done: [0, 2] }] });
  t.match(await daemon.view('web'), { status: 'stopped', primaryPid: null });
  t.match(await daemon.ask('reload', { selectors: ['web'] }), {
    apps: [{ ok: true, done: [0, 2] }],
  });
  t.match(await ask(Number(spec.env.PORT)), { pid: Number });

  t.match(await daemon.ask('delete', { selectors: ['web'] }), {
    apps: [{ ok: true, done: [0, 2] }],
  });
  t.strictSame((await daemon.ask('list')).apps, []);
  await t.rejects(daemon.ask('stop', { selectors: ['web'] }), { code: 'E_APP_UNKNOWN' });
  t.strictSame(await daemon.ask('kill'), { apps: [], remembered: [] });
  await daemon.logged(/"daemon.ended",.*\n$/);
});

t.test('apply takes the smallest actions, and a failed one changes nothing', async (t) => {
  const daemon = await startedDaemon(t);
  const configFile = '/somewhere/ecosystem.yml';
  const web = await webSpec({ configFile, instances: 1 });
  const bad = testSpec({ name: 'bad', instances: 1, configFile, script: fixture('exits-1.cjs') });
  const apply = (specs, order = {}) =>
    daemon.ask('apply', { specs, action: 'apply', file: configFile, ...order });

  t.match(await apply([web, { ...bad, autorestart: false }], { action: 'start' }), {
    apps: [
      { name: 'web', ok: true },
      { name: 'bad', ok: false, failed: [{ slot: 0, lastLines: ['no database'] }] },
    ],
  });
  const mended = { ...bad, script: web.script, env: { PORT: '0' } };
  t.match(await apply([web, mended], { action: 'start' }), {
    apps: [
      { name: 'web', action: 'none' },
      { name: 'bad', action: 'reload', ok: true, done: [1] },
    ],
  });
  const more = { ...web, instances: 2, env: { ...web.env, APP_VERSION: '2' } };
  t.match(await apply([more], { dryRun: true }), {
    plan: [
      { app: 'web', action: 'reload', changes: [{ key: 'instances' }, { key: 'env.APP_VERSION' }] },
    ],
    unlisted: ['bad'],
    apps: [],
  });
  t.match(await apply([more], { prune: true }), {
    apps: [
      { name: 'web', action: 'reload', ok: true, done: [0, 2] },
      { name: 'bad', action: 'delete' },
    ],
  });
  t.match(await ask(Number(web.env.PORT)), { version: '2' });

  const { workers } = await daemon.view('web');
  const broken = { ...more, script: fixture('throws-at-load.cjs') };
  t.match(await apply([broken]), { apps: [{ name: 'web', ok: false, done: [] }] });
  const still = await daemon.view('web');
  t.strictSame(
    still.workers.map(({ pid, status }) => [pid, status]),
    workers.map(({ pid, status }) => [pid, status]),
  );
  t.match(await apply([more], { dryRun: true }), { plan: [{ action: 'none' }] });
  t.match(
    await daemon.ask('restart', { selectors: ['web'], updateEnv: { PATH: '/bin', NEW: '1' } }),
    {
      apps: [{ ok: true }],
    },
  );
  t.match(await daemon.ask('restart', { selectors: ['web'], updateEnv: { PATH: '/usr/bin' } }), {
    apps: [{ ok: true }],
  });
  const { apps } = await daemon.ask('env', { selectors: ['web'] });
  t.match(apps[0].env, { NEW: { from: 'shell' }, APP_VERSION: { value: '2' } });

  const other = { ...more, scheduling: 'round-robin' };
  const { primaryPid } = await daemon.view('web');
  t.match(await apply([other]), {
    apps: [{ action: 'reload', ok: true, done: [0, 2], minReady: 2 }],
  });
  t.not((await daemon.view('web')).primaryPid, primaryPid);
});

t.test('resume may bring another environment to a stopped app', async (t) => {
  const spec = await webSpec({ instances: 1 });
  const daemon = await startedDaemon(t, [spec]);
  await daemon.ask('stop', { selectors: ['web'] });
  const updateEnv = { ...spec.shellEnv, APP_VERSION: 'new' };
  const resumed = await daemon.ask('resume', { selectors: ['web'], updateEnv });
  t.match(resumed, { apps: [{ ok: true, done: [0] }] });
  t.match(await ask(Number(spec.env.PORT)), { version: 'new' });
});

t.test('an app whose primary cannot start stays in the table with the reason', async (t) => {
  const daemon = await startedDaemon(t);
  const spec = await webSpec({ interpreter: '/no/such/node' });
  t.match(await daemon.ask('start', { specs: [spec] }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: /could not be started.*ENOENT/ }] }],
  });
  t.match(await daemon.view('web'), { status: 'errored', note: /ENOENT/, primaryPid: null });
  const interpreter = process.execPath;
  const order = { specs: [{ ...spec, interpreter }], action: 'start' };
  t.match(await daemon.ask('apply', order), { apps: [{ action: 'start', ok: true }] });
  t.match(await daemon.view('web'), { status: 'online', note: null });
});

t.test('cron_restart and watch reload an app', async (t) => {
  const daemon = await startedDaemon(t);
  const cwd = path.join(daemon.root, 'program');
  mkdirSync(path.join(cwd, 'node_modules'), { recursive: true });
  const clock = await webSpec({ name: 'clock', instances: 1, cronRestart: '* * * * * *' });
  const watched = await webSpec({ name: 'watched', instances: 1, watch: true, cwd });
  await daemon.ask('start', { specs: [clock, watched] });
  await until(async () => (await daemon.view('clock')).generation > 1, 'a reload by the clock');
  await daemon.ask('delete', { selectors: ['clock'] });

  await daemon.logged(/watch.started/);
  await daemon.ask('stop', { selectors: ['watched'] });
  await daemon.ask('resume', { selectors: ['watched'] });
  await daemon.logged(/watch.started[^]*watch.started/);
  const { generation } = await daemon.view('watched');
  writeFileSync(path.join(cwd, 'node_modules', 'x.js'), '');
  writeFileSync(path.join(cwd, 'server.js'), '');
  await until(async () => (await daemon.view('watched')).generation > generation, 'a reload');
  t.notMatch(daemon.log(), /"file":"[^"]*node_modules/);
  t.equal((await daemon.view('watched')).workers[0].restarts, 0);
});
