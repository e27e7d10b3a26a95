/**
 * Removes a directory that may contain directories of other users. With rmSync such a user could put a
 * link in place of a directory at that moment, and what is removed would be elsewhere.
 */
import { chmodSync, lchownSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} directory in a directory where other users cannot rename it
 * @throws {NodeJS.ErrnoException} what is left of it cannot be removed
 */
export function removeDirectory(directory) {
  // From here on nobody else can look up, add or rename anything in it.
  lchownSync(directory, process.geteuid?.() ?? -1, process.getegid?.() ?? -1);
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) removeDirectory(file);
    else unlinkSync(file);
  }
  rmdirSync(directory);
}
