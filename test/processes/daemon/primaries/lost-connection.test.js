/** The connection between daemon and primary breaks during a command, and both live. */
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import t from 'tap';
import { until } from '../../../support/until.js';
import { daemonUnderTest, gated, killed } from '../../daemon-under-test.js';

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
  const { record: file } = daemon.place();
  const record = JSON.parse(readFileSync(file, 'utf8'));
  const socket = path.join(daemon.root, 'proxy.sock');
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
  await killed(first.pid);
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

/** What the command says; the primary goes on with it. */
const LOST = {
  apps: [{ ok: false, failed: [{ reason: /it is not known how the command ended/ }] }],
};

t.test('a reload that succeeds', async (t) => {
  const app = await proxied(t);
  app.web.close();
  const env = { ...app.web.spec.env, APP_VERSION: '2' };
  app.cutAfter('reload');
  const applied = app.ask('apply', { specs: [{ ...app.web.spec, env }], action: 'reload' });
  await app.logged(/primary\.found/);
  t.match(await applied, LOST);
  t.match(await app.view('web'), { busy: 'reload' }, 'it goes on');
  app.web.open();
  await app.settles(t);
  t.match(app.desired(), { spec: { env: { APP_VERSION: '2' } }, rollout: null });
  const { apps } = await app.ask('list', { fields: ['counters'] });
  t.match(apps[0], { reloads: { ok: 2, failed: 0 } }, 'this one and the next');
});

t.test('a reload that fails', async (t) => {
  const app = await proxied(t);
  app.web.close();
  app.cutAfter('reload');
  const specs = [{ ...app.web.spec, listenTimeoutMs: 1000 }];
  t.match(await app.ask('apply', { specs, action: 'reload' }), LOST);
  const failed = await until(async () => {
    const { lastReload } = await app.view('web');
    return lastReload;
  }, 'it to fail');
  t.match(failed, { ok: false, reason: /ready/, kept: [0, 1] });
  const { apps } = await app.ask('list', { fields: ['counters'] });
  t.match(apps[0], { reloads: { ok: 0, failed: 1 } }, 'it counts once');
  await app.settles(t);
});

const selectors = ['web'];
for (const [command, method, params, statuses] of [
  ['restart', 'restart', { selectors }, ['online', 'online']],
  ['stop', 'stop', { selectors: ['web:1'] }, ['online', 'stopped']],
  ['scale', 'scale', { selector: 'web', instances: '3' }, ['online', 'online', 'online']],
  ['scale', 'scale', { selector: 'web', instances: '1' }, ['online']],
]) {
  t.test(`${command} ${JSON.stringify(params)}`, async (t) => {
    const app = await proxied(t, { waitReady: false });
    app.cutAfter(method);
    t.match(await app.ask(command, params), LOST);
    await app.settles(t);
    const { workers } = await app.view('web');
    t.strictSame(
      workers.map(({ status }) => status),
      statuses,
    );
  });
}
