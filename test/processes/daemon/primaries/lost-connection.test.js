/** The connection between daemon and primary breaks during a command, and both live. */
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import t from 'tap';
import { isRunning } from '../../../support/processes.js';
import { until } from '../../../support/until.js';
import { daemonUnderTest, gated, killNow } from '../../daemon-under-test.js';

t.jobs = 2;

/**
 * An app whose primary the daemon reaches by way of a proxy.
 * @returns cutAfter: the connection breaks as soon as the primary has this request
 */
async function proxied(t, overrides = {}) {
  const daemon = daemonUnderTest(t);
  const first = await daemon.start();
  const web = await gated(daemon, { minUptimeMs: 0, ...overrides });
  t.match(await daemon.ask('start', { specs: [web.spec] }), { apps: [{ ok: true }] });
  const { record: file } = daemon.paths.app('web');
  const record = JSON.parse(readFileSync(file, 'utf8'));
  const socket = path.join(daemon.root, 'proxy.sock');
  /** @type {Set<net.Socket>} */
  const sockets = new Set();
  const cut = () => {
    for (const one of sockets) one.destroy();
  };
  let last = '';
  const server = net.createServer((peer) => {
    const primary = net.connect(record.socket);
    for (const [one, other] of [
      [peer, primary],
      [primary, peer],
    ]) {
      sockets.add(one.on('error', () => one.destroy()));
      one.on('close', () => sockets.delete(one) && other.destroy());
    }
    primary.pipe(peer);
    peer.pipe(primary);
    peer.on('data', (chunk) => {
      if (last === '' || !chunk.includes(`"method":"${last}"`)) return;
      last = '';
      cut();
    });
  });
  await new Promise((resolve) => server.listen(socket, resolve));
  t.teardown(() => {
    server.close();
    cut();
  });
  // Otherwise it would soon restore its record, perhaps before the next daemon reads it.
  process.kill(record.pid, 'SIGSTOP');
  server.once('connection', () => process.kill(record.pid, 'SIGCONT'));
  writeFileSync(file, JSON.stringify({ ...record, socket }));
  killNow(first.pid);
  await until(() => !isRunning(first.pid), 'the daemon to exit');
  await daemon.start();
  const { primaryPid } = await daemon.view('web');
  const desired = () => JSON.parse(daemon.desired()).apps[0];
  /** What is left of a command, and whether the next one works. */
  const settles = async (t) => {
    await until(async () => {
      const { busy } = await daemon.view('web');
      return busy === undefined && desired().rollout === null;
    }, 'the app to be settled');
    web.open();
    t.match(await daemon.ask('reload', { selectors: ['web'] }), { apps: [{ ok: true }] });
    t.match(await daemon.view('web'), { status: 'online', busy: null, primaryPid });
    t.equal(desired().generation, (await daemon.view('web')).generation);
  };
  return { ...daemon, web, cut, cutAfter: (method) => (last = method), desired, settles };
}

t.test('a reload that succeeds', async (t) => {
  const app = await proxied(t);
  app.web.close();
  const env = { ...app.web.spec.env, APP_VERSION: '2' };
  app.cutAfter('reload');
  const applied = app.ask('apply', { specs: [{ ...app.web.spec, env }], action: 'reload' });
  await app.logged(/primary\.found/);
  t.match(await app.view('web'), { busy: 'reload' }, 'it goes on');
  app.web.open();
  t.match(await applied, { apps: [{ action: 'reload', ok: true, done: [0, 1], failed: [] }] });
  t.match(app.desired(), { spec: { env: { APP_VERSION: '2' } }, rollout: null });
  await app.settles(t);
});

t.test('a reload that fails', async (t) => {
  const app = await proxied(t, { listenTimeoutMs: 1000 });
  app.web.close();
  app.cutAfter('reload');
  const lost = await app.ask('reload', { selectors: ['web'] });
  t.match(lost, { apps: [{ ok: false, failed: [{ reason: /ready/ }], kept: [0, 1] }] });
  const { apps } = await app.ask('list', { fields: ['counters'] });
  t.match(apps[0], { reloads: { ok: 0, failed: 1 } }, 'it counts once');
  await app.settles(t);
});

t.test('a reload whose connection is lost twice', async (t) => {
  const app = await proxied(t);
  app.web.close();
  app.cutAfter('reload');
  const reloaded = app.ask('reload', { selectors: ['web'] });
  const found = (count) =>
    until(() => app.log().split('primary.found').length > count, `it to be found ${count} times`);
  await found(1);
  app.cut();
  await found(2);
  app.web.open();
  t.match(await reloaded, { apps: [{ ok: true, done: [0, 1] }] });
  await app.settles(t);
});

t.test('a reload that the primary does not survive either', async (t) => {
  const app = await proxied(t);
  app.web.close();
  app.cutAfter('reload');
  const reloaded = app.ask('reload', { selectors: ['web'] });
  await app.logged(/primary\.found/);
  killNow((await app.view('web')).primaryPid);
  app.web.open();
  t.match(await reloaded, {
    apps: [{ ok: false, failed: [{ reason: /primary process of web exited/ }] }],
  });
});

const selectors = ['web'];
const commands = [
  ['restart', 'restart', { selectors }, [0, 1]],
  ['stop', 'stop', { selectors: ['web:1'] }, [1]],
  ['scale', 'scale', { selector: 'web', instances: '3' }, [2]],
  ['scale', 'scale', { selector: 'web', instances: '1' }, []],
];

for (const [command, method, params, done] of commands) {
  t.test(`${command} ${JSON.stringify(params)}`, async (t) => {
    const app = await proxied(t, { waitReady: false });
    app.cutAfter(method);
    t.match(await app.ask(command, params), { apps: [{ ok: true, done }] });
    await app.settles(t);
  });
}

t.test('start of a worker', async (t) => {
  const app = await proxied(t);
  await app.ask('stop', { selectors: ['web:1'] });
  app.cutAfter('start');
  t.match(await app.ask('resume', { selectors: ['web:1'] }), { apps: [{ ok: true, done: [1] }] });
  await app.settles(t);
});
