import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { assertOwned, explainLink } from '../../shared/owned-file.js';

/** @import { FileHandle } from 'node:fs/promises' */

/** Opening a named pipe without a writer would block. */
const TO_READ = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * @param {string} path
 * @param {number | null} user an app's, who may have put anything there: no link is followed, and the
 *   file must be a regular one of that user
 * @returns {Promise<FileHandle>}
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 * @throws {NodeJS.ErrnoException}
 */
export async function openToRead(path, user) {
  if (user === null) return open(path, TO_READ);
  const handle = await open(path, TO_READ | constants.O_NOFOLLOW).catch((error) => {
    throw explainLink(error, path);
  });
  try {
    assertOwned(path, await handle.stat(), user);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
