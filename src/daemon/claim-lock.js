/**
 * The daemon that `update` or an init system starts replaces the one that runs. That one is asked to
 * leave by a signal, which every version understands; the apps do not notice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../errors/error.js';
import { serve } from '../protocol/server.js';
import { poll } from '../shared/deadline.js';
import { staysStopped } from '../shared/processes/activity.js';
import { daemonPid, readLocks } from '../shared/processes/daemon-lock.js';
import { servicePid } from '../shared/processes/service-record.js';
import { sendSignal } from '../shared/processes/signal.js';
import { VERSION } from '../shared/version.js';
import { checkDesired } from './apps/store.js';
import { receiveSockets } from './handover.js';
import { takeLock } from './lock.js';
import { isManaged } from './init-system.js';

/**
 * @import { HomePaths } from '../shared/home.js'
 * @import { HandedSockets } from './handover.js'
 */

/** Short: in the meantime no daemon manages the apps, and 300 ms later primaries start one. */
const POLL_MS = 5;
/** ms for the other daemon to save what is in progress; a frozen one is killed then. */
const LEAVE_MS = 10_000;

/**
 * @param {HomePaths} paths
 * @returns {Promise<HandedSockets>} those that the other daemon held, when this process holds the lock of the home
 * @throws {NodeclusterError} E_DAEMON_RUNS if an init system runs both; E_HOME_READ, E_HOME_LOCK, E_PROTOCOL_SOCKET;
 *   the other daemon stays
 */
export async function claimLock(paths) {
  const { home, service, daemonHandover } = paths;
  await checkStart(paths);
  const handed = daemonPid(home) === null ? new Map() : await receiveSockets(daemonHandover);
  let asked = { pid: 0, atMs: -Infinity };
  for (;;) {
    try {
      if (takeLock(home)) return handed;
      asked = askToLeave(home, service, asked);
    } catch (error) {
      // The other one leaves already: no daemon would follow it.
      const mayPass = performance.now() - asked.atMs < LEAVE_MS;
      if (NodeclusterError.from(error).code !== 'E_HOME_LOCK' || !mayPass) throw error;
    }
    await sleep(POLL_MS);
  }
}

/**
 * @param {string} home
 * @param {string} service
 * @param {{pid: number, atMs: number}} asked who was asked before
 * @returns who is asked now
 * @throws {NodeclusterError} E_DAEMON_RUNS, E_HOME_LOCK
 */
function askToLeave(home, service, asked) {
  const pid = daemonPid(home);
  if (pid === null) return asked;
  if (isManaged && pid === servicePid(service)) {
    throw new NodeclusterError('E_DAEMON_RUNS', { home, pid, isService: true });
  }
  if (asked.pid !== pid) {
    sendSignal(pid, 'SIGTERM');
    return { pid, atMs: performance.now() };
  }
  if (performance.now() - asked.atMs > LEAVE_MS) sendSignal(pid, 'SIGKILL');
  return asked;
}

/**
 * A daemon that a signal has stopped before it reached any primary is killed; no primary waits for its pings.
 * @param {string} home whose lock another daemon holds
 * @returns {Promise<boolean>} whether this process holds it now
 */
export async function replaceStopped(home) {
  const holder = readLocks(home).at(-1)?.holder;
  if (!holder || !(await staysStopped(holder))) return false;
  sendSignal(holder.pid, 'SIGKILL');
  const taken = await poll(() => takeLock(home), { timeoutMs: LEAVE_MS, everyMs: POLL_MS });
  return taken ?? false;
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
