/** Locates and empties log files. */
import { NodeclusterError } from '../../errors/error.js';
import { isOtherUser } from '../../shared/home.js';
import { logPaths } from '../../shared/log-files/log-paths.js';
import { emptyLogFiles } from '../../shared/log-files/rotated-files.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { LogFiles } from '../../protocol/methods.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Action } from '../control/run-command.js'
 */

/** @param {Spec} spec @param {readonly number[]} slots @param {HomePaths} paths @returns {LogFiles[]} */
export function logFilesOf(spec, slots, paths) {
  if (spec.mergeLogs) return [{ slot: null, ...logPaths(spec, paths, 0) }];
  return slots.map((slot) => ({ slot, ...logPaths(spec, paths, slot) }));
}

/** Rotated files are removed. @type {Action} */
export async function flushLogs({ paths }, app) {
  const { name, spec, slots } = app;
  if (!app.isDown) {
    await app.request('flush-logs', {});
    return { ok: true };
  }
  // What another user may have put in their place is only for a process of that user.
  if (isOtherUser(spec.uid)) throw new NodeclusterError('E_LOG_OF_USER', { app: name });
  const all = logFilesOf(spec, slots, paths).flatMap(({ out, error }) => [...out, ...error]);
  await emptyLogFiles([...new Set(all)]);
  return { ok: true };
}
