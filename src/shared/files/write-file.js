/** Writes an ecosystem file for the user. */
import { unlink, writeFile as write } from 'node:fs/promises';
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
  const mode = isPrivate ? 0o600 : 0o666;
  await orUnwritable(file, () =>
    force ? writeFileAtomic(file, text, { mode }) : createFile(file, text, mode),
  );
}

/**
 * @param {string} file
 * @param {() => unknown} work on it
 * @param {'remove'} [action] default: it is written
 * @throws {NodeclusterError} E_FILE_EXISTS, E_FILE_UNWRITABLE
 */
export async function orUnwritable(file, work, action) {
  try {
    await work();
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    const code = reason === 'EEXIST' ? 'E_FILE_EXISTS' : 'E_FILE_UNWRITABLE';
    throw new NodeclusterError(code, { file, action, reason }, error);
  }
}

/** Fails if it exists, be it as a link that leads nowhere. @param {string} file @param {string | Buffer} text @param {number} mode */
async function createFile(file, text, mode) {
  try {
    await write(file, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    const { syscall } = /** @type {NodeJS.ErrnoException} */ (error);
    // One that could not be opened may be of the user, also if the reason is another than that it exists.
    if (syscall !== 'open') await unlink(file).catch(() => {});
    throw error;
  }
}
