/** Writes an ecosystem file for the user. */
import { writeFileSync } from 'node:fs';
import { NodeclusterError } from '../../../errors/error.js';

/**
 * @param {string} file
 * @param {string} command
 * @throws {NodeclusterError} E_USAGE
 */
export function assertYaml(file, command) {
  if (/\.ya?ml$/.test(file)) return;
  const detail = `the file must end in .yml, and ${file} does not`;
  throw new NodeclusterError('E_USAGE', { detail, command });
}

/**
 * @param {string} file
 * @param {string} text
 * @param {{force: boolean, isPrivate: boolean}} how force: it may exist; isPrivate: it may contain secrets
 * @throws {NodeclusterError} E_FILE_EXISTS, E_FILE_UNWRITABLE
 */
export function writeFile(file, text, { force, isPrivate }) {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx', mode: isPrivate ? 0o600 : 0o666 });
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    const code = reason === 'EEXIST' ? 'E_FILE_EXISTS' : 'E_FILE_UNWRITABLE';
    throw new NodeclusterError(code, { file, reason }, error);
  }
}
