/**
 * `update`: this daemon asks the current one to leave, once it is completely loaded itself. Nothing has
 * changed until then, and if it fails later, the primaries start the earlier one, as after a crash.
 */
import { NodeclusterError } from '../errors/error.js';
import { connect } from '../protocol/client.js';
import { serve } from '../protocol/server.js';
import { poll } from '../shared/deadline.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { sendSignal } from '../shared/processes/signal.js';
import { VERSION } from '../shared/version.js';
import { checkDesired } from './apps/store.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 */

/** ms for the earlier daemon to save what it does and to exit. */
const LEAVE_MS = 15_000;
/** Short: in the meantime nobody manages the apps. */
const POLL_MS = 5;
const HELLO = { role: 'update', version: VERSION };

/**
 * @param {HomePaths} paths
 * @returns {Promise<void>} when no daemon holds the lock of the home
 * @throws {NodeclusterError} E_HOME_READ, E_PROTOCOL_SOCKET, E_DAEMON_STAYS; the earlier one stays
 */
export async function takeOver(paths) {
  await checkStart(paths);
  const pid = daemonPid(paths.home);
  if (pid === null) return;
  await askToLeave(paths.daemonSocket, pid);
  const hasLeft = () => daemonPid(paths.home) !== pid;
  if (await poll(hasLeft, { timeoutMs: LEAVE_MS, everyMs: POLL_MS })) return;
  throw new NodeclusterError('E_DAEMON_STAYS', { pid, seconds: LEAVE_MS / 1000 });
}

/**
 * With what it imports, this process has loaded the whole daemon.
 * @param {HomePaths} paths
 * @throws {NodeclusterError} E_HOME_READ, E_PROTOCOL_SOCKET
 */
async function checkStart({ desired, daemonSocket }) {
  checkDesired(desired);
  const hello = { role: 'check', version: VERSION };
  const server = await serve(`${daemonSocket}~`, { methods: {}, hello });
  await server.close();
}

/** @param {string} socket @param {number} pid */
async function askToLeave(socket, pid) {
  /** @type {DaemonClient} */
  const client = await connect(socket, { hello: HELLO });
  try {
    await client.request('take-over', {});
  } catch (thrown) {
    const { code } = NodeclusterError.from(thrown);
    // Protocol 3 has no such method. Its daemon leaves after this signal, and the apps go on.
    if (code === 'E_PROTOCOL_METHOD') sendSignal(pid, 'SIGTERM');
    // Another new daemon was faster, or it leaves anyway.
    else if (code !== 'E_DAEMON_ENDING' && code !== 'E_PROTOCOL_CLOSED') throw thrown;
  } finally {
    client.close();
  }
}
