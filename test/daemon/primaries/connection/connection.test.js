/** Another process listens where a primary did, before it is clear that the primary has exited. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { dialPrimary } from '../../../../src/daemon/primaries/connection/connection.js';
import { serve } from '../../../../src/protocol/server.js';
import { identify } from '../../../../src/shared/processes/identity.js';
import { VERSION } from '../../../../src/shared/version.js';
import { eventOf } from '../../../support/until.js';

t.test('the successor of a killed primary is not taken for that primary', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'nc-'));
  const socket = join(root, 'primary.sock');
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
    rmSync(root, { recursive: true, force: true });
  });
  const record = { ...identify(killed.pid), socket };
  const dialled = dialPrimary(record, () => undefined, {
    app: 'web',
    onState() {},
    onEvent() {},
  });
  await t.rejects(dialled, { code: 'E_PROTOCOL_UNREACHABLE', message: /another process/ });
  t.strictSame(requests, []);
});
