/** The connection of the daemon to a primary, and what is known without one. */
import { spawn } from 'node:child_process';
import net from 'node:net';
import path, { join } from 'node:path';
import t from 'tap';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dialPrimary, requestOnce } from '../../../src/daemon/primaries/connection.js';
import { failureCode } from '../../../src/daemon/primaries/handle.js';
import { PrimaryLink } from '../../../src/daemon/primaries/link.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { serve } from '../../../src/protocol/server.js';
import { PACKAGE_ROOT } from '../../../src/shared/package/root.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { VERSION } from '../../../src/shared/version.js';
import { snapshotWith } from '../../support/snapshot.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { eventOf } from '../../support/until.js';

t.test('the successor of a killed primary is not taken for that primary', async (t) => {
  const socket = join(temporaryDirectory(t), 'primary.sock');
  const requests = [];
  const subscribe = () => {
    requests.push('subscribe');
    return {};
  };
  const hello = { role: 'primary', version: VERSION };
  const server = await serve(socket, { methods: { subscribe }, hello });
  const killed = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const exit = eventOf(killed, 'exit');
  t.teardown(async () => {
    killed.kill('SIGKILL');
    await exit;
    await server.close();
  });
  const record = { ...identify(killed.pid), socket };
  const dialled = dialPrimary(record, {
    app: 'web',
    onState() {},
    onEvent() {},
  });
  await t.rejects(dialled, { code: 'E_PROTOCOL_UNREACHABLE', message: /another process/ });
  t.strictSame(requests, []);
});

t.test('a state in one chunk with the reply to subscribe is the newer one', async (t) => {
  const socket = join(temporaryDirectory(t), 'primary.sock');
  const frame = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
  const snapshot = snapshotWith({ name: 'web' });
  const server = net.createServer((peer) => {
    peer.setEncoding('utf8').on('data', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'hello') {
        const { version, protocol, oldest } = params;
        const result = { role: 'primary', pid: process.pid, version, protocol, oldest };
        return peer.write(frame({ id, result }));
      }
      const later = { ...snapshot, busy: null, requestId: id };
      peer.write(
        frame({ id, result: { ...snapshot, busy: 'reload' } }) +
          frame({ method: 'state', params: later }),
      );
    });
  });
  await new Promise((resolve) => server.listen(socket, resolve));
  const states = [];
  const record = { ...identify(process.pid), socket };
  const connection = await dialPrimary(record, {
    app: 'web',
    onState: (state) => states.push(state),
    onEvent() {},
  });
  t.teardown(async () => {
    connection.close();
    await new Promise((resolve) => server.close(resolve));
  });
  t.match(states.at(-1), { busy: null });
});

// What is known of an app's process that could not be asked.

t.test('only when nobody listens on its socket it is gone', async (t) => {
  const directory = t.testdir();
  const at = (name) => path.join(directory, name);
  writeFileSync(at('nobody-listens'), '');
  symlinkSync('unreachable', at('unreachable'));
  const replyOf = (name) => requestOnce({ pid: 1, socket: at(name) }, 'abandon', {});
  t.equal(await replyOf('missing'), 'absent');
  t.equal(await replyOf('nobody-listens'), 'absent');
  t.equal(await replyOf('unreachable'), 'unasked');
});

const rows = [
  ['E_PROTOCOL_CLOSED', null, 'E_PRIMARY_LOST', 'the primary may live'],
  ['E_PROTOCOL_CLOSED', 'E_APP_KILLED', 'E_APP_KILLED', 'its exit was expected'],
  ['E_PROTOCOL_CLOSED', 'E_DAEMON_EXITS', 'E_DAEMON_EXITS', 'this daemon exits'],
  ['E_PROTOCOL_TIMEOUT', null, 'E_PRIMARY_SILENT', 'it may still do it'],
  ['E_PROTOCOL_TIMEOUT', 'E_APP_KILLED', 'E_PRIMARY_SILENT', 'it is late with its exit'],
  ['E_PRIMARY_SILENT', null, null, 'the reason why the connection was given up'],
  ['E_WORKER_DELETED', 'E_APP_KILLED', null, 'the primary refused it'],
];

for (const [code, leaving, expected, reason] of rows) {
  t.equal(failureCode(new NodeclusterError(code, { workers: [] }), leaving), expected, reason);
}

// A primary that takes the place of another one: its record may be there before it answers.

t.test('it is waited for until it is clear whether it serves', async (t) => {
  const directory = t.testdir();
  const [record, socket, nextRecord] = ['record', 'p.sock', 'next'].map((name) =>
    path.join(directory, name),
  );
  const own = { root: PACKAGE_ROOT, node: process.version, version: VERSION, shares: 'cluster' };
  writeFileSync(record, JSON.stringify({ ...identify(process.pid), ...own, socket }));
  const log = { of: () => log, info: () => {}, warn: () => {}, error: () => {} };
  const pathsOf = () => ({ record, socket, nextRecord, log: '' });
  const options = { app: 'api', log, pathsOf, holderOf: () => undefined };
  const link = new PrimaryLink(options);
  const adopted = link.adoptSuccessor();
  const methods = { subscribe: () => snapshotWith(), ping: () => null };
  const unclear = new Promise((resolve) => {
    log.error = (event) => event === 'primary.unclear' && resolve(link.state);
  });
  t.equal(await unclear, 'none', 'nobody listens yet');
  const server = await serve(socket, { methods, hello: { role: 'primary', version: VERSION } });
  await adopted;
  t.equal(link.state, 'connected', String(link.trouble));
  link.detach();
  await server.close();
});
