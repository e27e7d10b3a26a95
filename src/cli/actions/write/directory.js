/** Writes generated files to a directory of the user. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NodeclusterError } from '../../../errors/error.js';
import { writeFile } from './file.js';

/**
 * Checks all names first, so that either all files are written or none is.
 * @param {string} directory is created if it does not exist
 * @param {readonly {name: string, text: string}[]} files
 * @param {{force: boolean}} how force: they may exist
 * @returns {Promise<string[]>} their paths
 * @throws {NodeclusterError} E_FILE_EXISTS, E_FILE_UNWRITABLE
 */
export async function writeFiles(directory, files, { force }) {
  const paths = files.map(({ name }) => join(directory, name));
  const existing = force ? undefined : paths.find((path) => existsSync(path));
  if (existing) throw new NodeclusterError('E_FILE_EXISTS', { file: existing });
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new NodeclusterError('E_FILE_UNWRITABLE', { file: directory, reason }, error);
  }
  for (const [index, { text }] of files.entries()) {
    await writeFile(paths[index], text, { force: true, isPrivate: false });
  }
  return paths;
}
