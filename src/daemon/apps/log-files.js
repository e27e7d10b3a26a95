/** Locates the log files of an app, and empties them when no primary writes to them. */
import { truncate } from 'node:fs/promises';
import { NodeclusterError } from '../../errors/error.js';
import { logPaths } from '../../shared/log-files/log-paths.js';
import { prune } from '../../shared/log-files/rotated-files.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { LogFiles } from '../../protocol/methods.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

/** @param {Spec} spec @param {readonly number[]} slots @param {HomePaths} paths @returns {LogFiles[]} */
export function logFilesOf(spec, slots, paths) {
  if (spec.mergeLogs) return [{ slot: null, ...logPaths(spec, paths, 0) }];
  return slots.map((slot) => ({ slot, ...logPaths(spec, paths, slot) }));
}

/** Rotated files are removed. @param {string[]} files @throws {NodeclusterError} E_LOG_FILE */
export async function emptyLogFiles(files) {
  for (const file of files) {
    try {
      await prune(file, 0);
      await truncate(file);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code !== 'ENOENT') throw new NodeclusterError('E_LOG_FILE', { file, reason: code });
    }
  }
}
