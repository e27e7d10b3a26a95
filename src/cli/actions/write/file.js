/** Writes an ecosystem file for the user. */
import { writeFileSync } from 'node:fs';
import { NodeclusterError } from '../../../errors/error.js';
import { writeFileAtomic } from '../../../shared/files/atomic-file.js';

/**
 * @param {string} file
 * @param {string} command
 * @throws {NodeclusterError} E_USAGE
 */
export function assertYaml(file, command) {
  if (/\.ya?ml$/.test(file)) return;
  const detail = `The file must end in .yml, and ${file} does not`;
  throw new NodeclusterError('E_USAGE', { detail, command });
}

/**
 * With `force` a file is replaced, not changed: it may belong to somebody else, who could then read
 * the new one, or be a link.
 * @param {string} file
 * @param {string} text
 * @param {{force: boolean, isPrivate: boolean}} how force: it may exist; isPrivate: it may contain secrets
 * @returns {Promise<void>}
 * @throws {NodeclusterError} E_FILE_EXISTS, E_FILE_UNWRITABLE
 */
export async function writeFile(file, text, { force, isPrivate }) {
  const mode = isPrivate ? 0o600 : 0o666;
  try {
    if (force) await writeFileAtomic(file, text, { mode });
    else writeFileSync(file, text, { flag: 'wx', mode });
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    const code = reason === 'EEXIST' ? 'E_FILE_EXISTS' : 'E_FILE_UNWRITABLE';
    throw new NodeclusterError(code, { file, reason }, error);
  }
}
