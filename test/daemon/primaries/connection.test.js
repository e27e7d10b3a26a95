import { spawn } from 'node:child_process';
import net from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { dialPrimary } from '../../../src/daemon/primaries/connection.js';
import { serve } from '../../../src/protocol/server.js';
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

t.test(
  'a state that comes in one chunk with the reply to subscribe is the newer one',
  async (t) => {
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
  },
);
