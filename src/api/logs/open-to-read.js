import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isOpenDescriptor, resolveLinks } from '../../shared/log-files/rotated-files.js';
import { assertOwned, explainLink } from '../../shared/owned-file.js';

/** @import { FileHandle } from 'node:fs/promises' */

/** Opening a named pipe without a writer would block. */
const TO_READ = constants.O_RDONLY | constants.O_NONBLOCK;
const TO_READ_NO_LINK = TO_READ | constants.O_NOFOLLOW;

/**
 * Follows the links that a primary follows when it writes: those of root and of this user.
 * @param {string} path
 * @param {number | null} user an app's, who may have put anything there: no link is followed, and the
 *   file must be a regular one of that user
 * @returns {Promise<FileHandle>}
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 * @throws {NodeJS.ErrnoException}
 */
export async function openToRead(path, user) {
  if (user === null) return openTrusted(await resolveLinks(path));
  const handle = await openWithoutLink(path);
  try {
    assertOwned(path, await handle.stat(), user);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @param {string} file that only a link of another user can still be */
function openTrusted(file) {
  return isOpenDescriptor(file) ? open(file, TO_READ) : openWithoutLink(file);
}

/** @param {string} file */
function openWithoutLink(file) {
  return open(file, TO_READ_NO_LINK).catch((error) => {
    throw explainLink(error, file);
  });
}
