/** The connection of the daemon to a primary, and what is known without one. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { dialPrimary, failureCode } from '../../../src/daemon/primaries/connection.js';
import { NodeclusterError } from '../../../src/errors/error.js';
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
  const dialled = dialPrimary(record, { after: {}, onState() {}, onEvent() {}, onLeft() {} });
  await t.rejects(dialled, { code: 'E_PROTOCOL_UNREACHABLE', message: /another process/ });
  t.strictSame(requests, []);
});

// What is known of a request that has failed.

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
  const thrown = new NodeclusterError(code, { workers: [] });
  t.equal(failureCode(thrown, leaving), expected, reason);
}
