/** Writes an ecosystem file for the user. */
import { existsSync, mkdirSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { writeFileAtomic } from './atomic-file.js';

/** @param {string} file @param {string} command @throws {NodeclusterError} E_USAGE */
export function assertYaml(file, command) {
  if (/\.ya?ml$/.test(file)) return;
  throw usageError(command, `The file must end in .yml, and ${file} does not`);
}

/**
 * With `force` a file is replaced, not changed: it may belong to somebody else, or be a link.
 * @param {string} file
 * @param {string | Buffer} text
 * @param {{force: boolean, isPrivate: boolean}} how force: it may exist; isPrivate: it may contain secrets
 * @throws {NodeclusterError} E_FILE_EXISTS, E_FILE_UNWRITABLE
 */
export async function writeFile(file, text, { force, isPrivate }) {
  try {
    const mode = isPrivate ? 0o600 : 0o666;
    if (force) await writeFileAtomic(file, text, { mode });
    else await createFile(file, text, mode);
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    const code = reason === 'EEXIST' ? 'E_FILE_EXISTS' : 'E_FILE_UNWRITABLE';
    throw new NodeclusterError(code, { file, reason }, error);
  }
}

/** Fails if it exists, be it as a link that leads nowhere. @param {string} file @param {string | Buffer} text @param {number} mode */
async function createFile(file, text, mode) {
  const created = await open(file, 'wx', mode);
  try {
    await created.writeFile(text);
    await created.sync();
  } catch (error) {
    await unlink(file).catch(() => {});
    throw error;
  } finally {
    await created.close();
  }
}

/**
 * Writes either all files or none.
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
    await writeFile(paths[index], text, { force, isPrivate: false });
  }
  return paths;
}
