/** What a path leads to, or why that cannot be told. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';

/**
 * @param {string} path
 * @returns {{kind: 'file'|'folder'|null, fault: string|null}} `fault`: the system's reason for not
 *   letting us look, or enter the folder; kind is null then, as where nothing is
 */
export function lookAt(path) {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) accessSync(path, constants.X_OK);
    return { kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : null, fault: null };
  } catch (error) {
    const { code, errno, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: null, fault: null };
    return { kind: null, fault: getSystemErrorMap().get(errno ?? 0)?.[1] ?? message };
  }
}

/**
 * @param {string} folder one that is not there, or where `sudo` came from and that is closed, has none
 * @returns {string[]} what is in it, for a suggestion or a guess
 */
export function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
