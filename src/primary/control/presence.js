/** Restores the sockets and the record by which daemons find this primary if they are removed. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '../../protocol/client.js';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { restoreHome } from '../../shared/home.js';
import { makeDirectory } from '../../shared/make-directory.js';
import { checkRegularly } from '../../shared/presence.js';
import { VERSION } from '../../shared/version.js';
import { logInPrimary } from '../log/primary-log.js';

/** @import { ProtocolServer } from '../../protocol/server.js' */

/**
 * @param {object} options
 * @param {ProtocolServer} options.server
 * @param {string} options.home
 * @param {string} options.socket on which the server listens
 * @param {Record<string, string> | null} options.files with their contents; null: this process runs as
 *   another user than the daemon and has no access to the home directory
 * @param {string | null} options.handover socket through which daemons get the app's sockets
 * @param {() => Promise<void>} options.giveSockets listens there again
 * @param {() => boolean} options.isControlled whether a daemon is connected
 * @param {() => void} options.onRestored called after something was restored
 * @param {() => void} options.onSuperseded called once, when no daemon is connected and another
 *   primary of the app has taken its place
 * @returns {() => void} ends the checks
 */
export function keepPresent(options) {
  const { server, home, socket, files, handover, isControlled } = options;
  const { giveSockets, onRestored, onSuperseded } = options;
  const end = checkRegularly(restore, (reason) =>
    logInPrimary(`Daemons cannot reach this process: ${reason}`),
  );
  return end;

  async function restore() {
    const isReachable = await server.isReachable();
    const missing = await missingOf(Object.entries(files ?? {}));
    const isGiving = await isInPlace(handover);
    if (isReachable && isGiving && missing.length === 0) return;
    if (!isReachable && !isControlled() && (await isAnotherPrimary(socket))) {
      end();
      onSuperseded();
      return;
    }
    if (files) await restoreDirectory(home, path.dirname(socket));
    if (!isReachable) await server.listenAgain();
    for (const [file, text] of missing) await writeFileAtomic(file, text);
    if (!isGiving) await giveSockets();
    onRestored();
    logInPrimary('A file by which daemons find this process had been removed and was restored.');
  }
}

/** @param {[string, string][]} files */
async function missingOf(files) {
  const checks = files.map(([file]) => exists(file));
  const found = await Promise.all(checks);
  return files.filter((_, index) => !found[index]);
}

/** @param {string} home @param {string} directory of the app */
async function restoreDirectory(home, directory) {
  if (await exists(directory)) return;
  restoreHome(home);
  await makeDirectory(directory, 0o700);
}

/** @param {string | null} file null: there need not be one */
async function isInPlace(file) {
  return file === null || exists(file);
}

/** @param {string} file */
function exists(file) {
  return access(file).then(
    () => true,
    (/** @type {NodeJS.ErrnoException} */ { code }) => code !== 'ENOENT',
  );
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
