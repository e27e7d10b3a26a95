/** The connection of the daemon to a primary, and what is known without one. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { dialPrimary } from '../../../src/daemon/primaries/connection.js';
import { serve } from '../../../src/protocol/server.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { VERSION } from '../../../src/shared/version.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { eventOf } from '../../support/until.js';

t.test('another process is not taken for a primary that was killed', async (t) => {
  const socket = join(temporaryDirectory(t), 'primary.sock');
  const requests = [];
  const subscribe = () => {
    requests.push('subscribe');
    return { apps: [] };
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
  const dialled = dialPrimary(record, {}, {});
  await t.rejects(dialled, { code: 'E_PROTOCOL_UNREACHABLE', message: /another process/ });
  t.strictSame(requests, []);
});
