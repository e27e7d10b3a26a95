/**
 * Keeps the daemon reachable, and able to start processes: a cleaner or a user may remove its socket,
 * its lock or the whole home directory, and then no command could control its apps.
 */
import { enterHome } from '../shared/home.js';
import { PACKAGE_ROOT } from '../shared/package/root.js';
import { checkRegularly } from '../shared/presence.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { takeLock } from './lock.js';

/**
 * @import { ProtocolServer } from '../protocol/server.js'
 * @import { KeptCopies } from './copies.js'
 * @import { Daemon } from './daemon.js'
 */

/**
 * @param {Daemon} daemon
 * @param {ProtocolServer} server
 * @param {KeptCopies} copies
 * @param {(pid: number) => void} onSuperseded called once, when another process that runs holds the lock
 * @returns {() => void} ends the checks
 */
export function keepPresent({ paths, table, log }, server, copies, onSuperseded) {
  const { home, daemonSocket: socket, desired, versions } = paths;
  const end = checkRegularly(restore, (reason) => log.error('home.unusable', { home, reason }));
  return end;

  async function restore() {
    if (enterHome(home)) log.warn('home.restored', { home });
    const holder = daemonPid(home);
    if (holder !== null && holder !== process.pid) {
      end();
      onSuperseded(holder);
      return;
    }
    // If another process is faster, the next check finds it.
    if (holder === null && takeLock(home)) log.warn('lock.restored', { home });
    if (!(await server.isReachable())) {
      await server.listenAgain();
      log.warn('socket.restored', { socket });
    }
    copies.keep([PACKAGE_ROOT, ...table.all().map(({ link }) => link.record?.root)]);
    const files = await copies.restore();
    if (files > 0) log.warn('copies.restored', { versions, files });
    if (await table.isIntact()) return;
    if (!(await table.saveOrRetry())) log.warn('state.restored', { file: desired });
  }
}
