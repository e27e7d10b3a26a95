/** A primary that answers pings, but nothing else, or sends nonsense. */
import net from 'node:net';
import { rmSync } from 'node:fs';
import t from 'tap';
import { connect } from '../../../../src/protocol/client.js';
import { isRunning } from '../../../support/processes.js';
import { until } from '../../../support/until.js';
import { killed, startedDaemon, webSpec } from '../../daemon-under-test.js';

t.jobs = 2;

const SHORT = { instances: 1, scheduling: 'round-robin', drainTimeoutMs: 0, killTimeoutMs: 1 };

/** Freezes the primary of web, and answers the next daemon in its place. */
async function impersonate(t, daemon, changeOf) {
  const { socket } = daemon.place();
  const { primaryPid } = await daemon.view('web');
  const hello = { role: 'test', version: '0' };
  const client = await connect(socket, { hello });
  let snapshot;
  const onNotification = (kind, payload) => kind === 'state' && (snapshot = payload);
  const subscribed = await client.request('subscribe', {}, { onNotification });
  const state = JSON.stringify({ method: 'state', params: changeOf(snapshot), jsonrpc: '2.0' });
  const answers = {
    hello: client.peer,
    subscribe: JSON.stringify(subscribed),
    ping: 'null',
  };
  client.close();
  const { daemon: before } = await daemon.ask('list');
  process.kill(primaryPid, 'SIGSTOP');
  await killed(before.pid);
  rmSync(socket);
  const server = net.createServer((peer) => {
    peer.on('error', () => {});
    peer.setEncoding('utf8').on('data', (text) => {
      for (const line of text.split('\n').filter(Boolean)) {
        const { id, method } = JSON.parse(line);
        const answer = method === 'hello' ? JSON.stringify(answers.hello) : answers[method];
        if (method === 'subscribe') peer.write(`${state}\n`);
        if (answer) peer.write(`{"jsonrpc":"2.0","id":${id},"result":${answer}}\n`);
      }
    });
  });
  const peers = new Set();
  server.on('connection', (peer) => peers.add(peer));
  await new Promise((resolve) => server.listen(socket, resolve));
  const end = () => {
    server.close();
    for (const peer of peers) peer.destroy();
  };
  t.teardown(end);
  await daemon.start();
  return { primaryPid, end };
}

t.test('one that answers pings only', async (t) => {
  const specs = [await webSpec(SHORT), await webSpec({ ...SHORT, name: 'other' })];
  const daemon = await startedDaemon(t, specs);
  const { workers } = await daemon.view('web');
  const { primaryPid } = await impersonate(t, daemon, (snapshot) => snapshot);
  t.match(await daemon.view('web'), { status: 'online' });
  const stopped = daemon.ask('stop', { selectors: ['web'] });
  t.match(await daemon.ask('reload', { selectors: ['other'] }), { apps: [{ ok: true }] });
  t.match(await stopped, { apps: [{ name: 'web', ok: true, done: [0] }] });
  const left = [primaryPid, ...workers.map(({ pid }) => pid)];
  await until(() => !left.some(isRunning), 'its processes to be killed');
  t.match(await daemon.view('web'), { status: 'stopped' });
  await daemon.ask('delete', { selectors: ['web'] });
  t.match((await daemon.ask('list')).apps, [{ name: 'other', status: 'online' }]);
});

const nested = (depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/** What it reports. */
const LIES = {
  types: (snapshot) => ({ ...snapshot, slots: { length: 1e9 }, pid: [], spec: null, reloads: 'x' }),
  slot: (snapshot) => ({ ...snapshot, slots: [{ ...snapshot.slots[0], pid: '1', listening: 5 }] }),
  deep: (snapshot) => ({ ...snapshot, lastReload: nested(1000), retiring: nested(1000) }),
  huge: (snapshot) => ({ ...snapshot, node: 'x'.repeat(8 * 1024 ** 2) }),
};

for (const [kind, lie] of Object.entries(LIES)) {
  t.test(`one that reports nonsense: ${kind}`, async (t) => {
    const daemon = await startedDaemon(t);
    const specs = [await webSpec(SHORT), await webSpec({ ...SHORT, name: 'other' })];
    t.match(await daemon.ask('start', { specs }), { apps: [{ ok: true }, { ok: true }] });
    const { primaryPid, end } = await impersonate(t, daemon, lie);
    t.match(await daemon.view('web'), { status: 'unknown', primaryPid });
    t.match(await daemon.view('other'), { status: 'online' });
    end();
    process.kill(primaryPid, 'SIGCONT');
    const found = await until(async () => {
      const view = await daemon.view('web');
      return view.status === 'online' && view;
    }, 'the true primary');
    t.equal(found.primaryPid, primaryPid);
  });
}
