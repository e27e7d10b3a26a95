/** Locates and empties log files. */
import { logPaths } from '../../shared/log-files/log-paths.js';
import { emptyLogFiles } from '../../shared/log-files/rotated-files.js';
import { emptyUserLogs } from '../users/user-primary.js';

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
  const { user } = paths.app(name, spec.uid);
  if (!app.isDown) {
    await app.request('flush-logs', {});
    return { ok: true };
  }
  const all = logFilesOf(spec, slots, paths).flatMap(({ out, error }) => [...out, ...error]);
  const files = [...new Set(all)];
  await (user === null ? emptyLogFiles(files) : emptyUserLogs(spec, user, files));
  return { ok: true };
}
