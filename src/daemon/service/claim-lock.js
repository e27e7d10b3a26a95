/**
 * The daemon that an init system starts replaces one that a command or a primary started, so that a
 * home is supervised as its unit says. The apps do not notice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { daemonPid } from '../../shared/processes/daemon-lock.js';
import { servicePid } from '../../shared/processes/service-record.js';
import { sendSignal } from '../../shared/processes/signal.js';
import { takeLock } from '../lock.js';

/** Primaries start a daemon of their own 300 ms after they have lost theirs. */
const POLL_MS = 20;
/** ms for the other daemon to save what is in progress; a frozen one is killed then. */
const LEAVE_MS = 10_000;

/**
 * @param {string} home
 * @param {string} serviceFile
 * @returns {Promise<void>} when this process holds the lock of the home
 * @throws {NodeclusterError} E_DAEMON_RUNS if an init system runs the other one too
 */
export async function claimLock(home, serviceFile) {
  const asked = { pid: 0, sinceMs: 0 };
  while (!takeLock(home)) {
    const pid = daemonPid(home);
    if (pid !== null && pid === servicePid(serviceFile)) {
      throw new NodeclusterError('E_DAEMON_RUNS', { home, pid, isService: true });
    }
    if (pid !== null && asked.pid !== pid) {
      sendSignal(pid, 'SIGTERM');
      Object.assign(asked, { pid, sinceMs: performance.now() });
    } else if (pid !== null && performance.now() - asked.sinceMs > LEAVE_MS) {
      sendSignal(pid, 'SIGKILL');
    }
    await sleep(POLL_MS);
  }
}
