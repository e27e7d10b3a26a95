/** Finds the daemon for as long as somebody watches. */
import { findDaemon } from '../../../api/find-daemon.js';
import { ROLE } from '../ask-daemon.js';

/**
 * @import { DaemonFinder } from '../../../api/stay-connected.js'
 * @import { DaemonClient } from '../../../protocol/methods.js'
 * @import { HomePaths } from '../../../shared/home.js'
 */

/**
 * @param {HomePaths} paths
 * @param {AbortSignal} signal closes the connection, so that the daemon stops measuring
 * @returns {DaemonFinder}
 */
export function finderFor(paths, signal) {
  /** @type {DaemonClient | null} */
  let client = null;
  const close = () => {
    client?.close();
    client = null;
  };
  signal.addEventListener('abort', close);
  return {
    home: paths.home,
    find: async () => {
      client = await findDaemon(paths, ROLE);
      if (signal.aborted) close();
      return client;
    },
    close,
  };
}
