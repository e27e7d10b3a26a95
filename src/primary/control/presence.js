/** Keeps the primary in reach of daemons, whose way to it may be removed: its socket and its record. */
import { access, mkdir } from 'node:fs/promises';
import { connect } from '../../protocol/client.js';
import { restoreHome } from '../../shared/home.js';
import { checkRegularly } from '../../shared/presence.js';
import { isRecorded, writeRecord } from '../../shared/processes/primary-record.js';
import { VERSION } from '../../shared/version.js';
import { logInPrimary } from '../log/primary-log.js';

/**
 * @import { ProtocolServer } from '../../protocol/server.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { ProcessIdentity } from '../../shared/processes/identity.js'
 */

/**
 * @param {object} options
 * @param {ProtocolServer} options.server
 * @param {ProcessIdentity} options.identity of this process
 * @param {string} options.home
 * @param {AppPaths} options.paths
 * @param {() => boolean} options.isControlled whether a daemon is connected
 * @param {() => Promise<void>} options.onRestored called after its directory has been made again
 * @param {() => void} options.onSuperseded called once, when no daemon is connected and another
 *   primary of the app has taken its place
 * @returns {() => void} ends the checks
 */
export function keepPresent(options) {
  const { server, identity, home, paths, isControlled, onRestored, onSuperseded } = options;
  const end = checkRegularly(restore, (reason) =>
    logInPrimary(`Daemons cannot reach this process: ${reason}`),
  );
  return end;

  async function restore() {
    const isReachable = await server.isReachable();
    if (isReachable && (await isRecorded(paths.record, identity))) return;
    if (!isReachable && !isControlled() && (await isAnotherPrimary(paths.socket))) {
      end();
      onSuperseded();
      return;
    }
    const isMissing = await access(paths.dir).then(
      () => false,
      () => true,
    );
    if (isMissing) {
      restoreHome(home);
      await mkdir(paths.dir, { mode: 0o700 });
    }
    if (!isReachable) await server.listenAgain();
    writeRecord(paths.record, identity);
    if (isMissing) await onRestored();
    logInPrimary('Its socket or record had been removed; daemons can reach it again.');
  }
}

/** @param {string} socket at a path that no longer leads to this process */
async function isAnotherPrimary(socket) {
  try {
    const client = await connect(socket, { hello: { role: 'ping', version: VERSION } });
    client.close();
    return client.peer.role === 'primary';
  } catch {
    return false;
  }
}
