/** Makes the home directory of `run`, also in a container with a read-only root, and removes abandoned ones. */
import { lstatSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { answers } from '../../shared/unix-socket.js';
import { removeDirectory } from '../../shared/files/directories.js';
import { homePaths } from '../../shared/home.js';
import { daemonPid } from '../../shared/processes/daemon-lock.js';
import { primaryIds } from '../../shared/processes/primary-record.js';
import {
  belongsToOther,
  candidatesOf,
  parentsOf,
  prefix,
  transientHomes,
} from '../../shared/transient-homes.js';

/** ms after which a home without a process is abandoned; a new one has none at first. */
const STARTING_MS = 30_000;

/** @param {Record<string, string | undefined>} env @throws {NodeclusterError} E_NO_WRITABLE_DIRECTORY */
export function makeTransientHome(env) {
  const failures = candidatesOf(env)
    .filter(belongsToOther)
    .map((directory) => ({ directory, reason: 'it belongs to another user' }));
  for (const parent of parentsOf(env)) {
    try {
      return mkdtempSync(path.join(parent, prefix()));
    } catch (error) {
      const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
      failures.push({ directory: parent, reason: code });
    }
  }
  throw new NodeclusterError('E_NO_WRITABLE_DIRECTORY', { failures });
}

/** What a killed `run` of this user left, once its last app has ended. @param {Record<string, string | undefined>} env */
export async function removeAbandonedHomes(env) {
  for (const home of parentsOf(env).flatMap(transientHomes)) {
    try {
      if (await isAbandoned(home)) removeDirectory(home);
    } catch {
      // Another `run` does the same at this moment, or its file system is read-only.
    }
  }
}

/** @param {string} home */
async function isAbandoned(home) {
  const isNew = Date.now() - lstatSync(home).mtimeMs < STARTING_MS;
  if (isNew || daemonPid(home) !== null) return false;
  const { daemonSocket, primariesDir, primary } = homePaths(home);
  const sockets = [daemonSocket, ...primaryIds(primariesDir).map((id) => primary(id).socket)];
  // Processes of other containers are not visible, but their sockets answer; a busy one may accept no more (EAGAIN).
  const replies = await Promise.all(sockets.map((each) => answers(each).catch(() => true)));
  return !replies.includes(true);
}
