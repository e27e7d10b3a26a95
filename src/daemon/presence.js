/**
 * Keeps the daemon reachable: a cleaner or a user may remove its socket, its lock or the whole home
 * directory, and then no command could control its apps.
 */
import { existsSync } from 'node:fs';
import { restoreHome } from '../shared/home.js';
import { checkRegularly } from '../shared/presence.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { takeLock } from './lock.js';

/**
 * @import { ProtocolServer } from '../protocol/server.js'
 * @import { Daemon } from './daemon.js'
 */

/**
 * @param {Daemon} daemon
 * @param {ProtocolServer} server
 * @param {() => void} onSuperseded called once, when another daemon holds the lock
 * @returns {() => void} ends the checks
 */
export function keepPresent({ paths, table, log }, server, onSuperseded) {
  const { home, daemonSocket: socket, desired } = paths;
  const end = checkRegularly(restore, (reason) => log.error('home.unusable', { home, reason }));
  return end;

  async function restore() {
    if (restoreHome(home)) {
      process.chdir(home);
      log.warn('home.restored', { home });
    }
    if (daemonPid(home) !== process.pid) {
      if (!takeLock(home)) {
        end();
        onSuperseded();
        return;
      }
      log.warn('lock.restored', { home });
    }
    if (!(await server.isReachable())) {
      await server.listenAgain();
      log.warn('socket.restored', { socket });
    }
    if (!existsSync(desired) && table.all().length > 0) await table.saveOrRetry();
  }
}
