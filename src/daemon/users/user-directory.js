/** The directory in the home of a primary that runs as another user, who may put anything there. */
import {
  chownSync,
  closeSync,
  constants,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { openOwned } from '../../shared/files/owned-file.js';

/** @import { AppPaths, UserDirectory } from '../../shared/home.js' */

/** @typedef {{uid: number, gid: number}} User */

/**
 * The directory above it belongs to the daemon, so nobody else can replace it.
 * @param {string} directory
 * @param {User} user
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 */
export function makeUserDirectory(directory, { uid, gid }) {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) {
    mkdirSync(directory, { mode: 0o700 });
    chownSync(directory, uid, gid);
  } else if (!found.isDirectory() || (found.uid !== uid && found.uid !== 0)) {
    const reason = `it is not a directory of user ${uid}`;
    throw new NodeclusterError('E_FILE_UNTRUSTED', { file: path.resolve(directory), reason });
  } else if (found.uid !== uid) {
    // A daemon was killed between the two steps.
    chownSync(directory, uid, gid);
  }
}

/**
 * @param {AppPaths} paths
 * @param {User} user
 * @returns {number} a descriptor of the primary's own log
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 */
export function openUserLog({ log }, { uid, gid }) {
  const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
  if (lstatSync(log, { throwIfNoEntry: false }) === undefined) {
    const created = openSync(log, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    // By its descriptor, since the user may have replaced it by a link meanwhile.
    fchownSync(created, uid, gid);
    closeSync(created);
  }
  return openOwned(log, O_WRONLY | O_APPEND, uid);
}

/**
 * Removes what a primary that does not run left there. Log files stay.
 * @param {UserDirectory} directory
 * @param {AppPaths} paths
 */
export function clearUserDirectory({ dir }, { socket, handover, workers, log }) {
  for (const file of [socket, handover, workers, log]) removeFile(file);
  try {
    rmdirSync(dir);
  } catch {
    // It contains log files.
  }
}

/**
 * Not with rmSync: where a directory appears at that moment, that removes everything in it, and below
 * links that the user puts there.
 * @param {string} file
 */
function removeFile(file) {
  try {
    unlinkSync(file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
}
