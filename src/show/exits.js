/** The exits of workers that no command caused, in words. */
import { formatDuration } from '../shared/units.js';
import { maskLine } from './mask.js';
import { ageOf } from './quantity.js';

/** @import { App, Known, PastExit } from '../protocol/shapes.js' */

/** @param {Pick<App, 'job'>} app */
export function exitsTitle({ job }) {
  return job === undefined ? 'Recent exits' : 'Recent runs';
}

/**
 * @param {Known<PastExit>} exit
 * @param {number} now epoch ms
 * @param {(text: string) => string} [emphasise]
 * @returns {string} `4s ago with exit code 1, after 2m 3s`
 */
export function exitText({ code, signal, error, reason, uptimeMs, at }, now, emphasise = String) {
  const when = `${formatDuration(ageOf(at, now))} ago`;
  if (code === undefined && !signal) {
    return `${when}: ${emphasise('could not be started')} (${maskLine(error ?? 'unknown')})`;
  }
  const how = signal ? `signal ${maskLine(signal)}` : `exit code ${code}`;
  // Some reasons only repeat the code or the signal.
  const isPlain = !reason || /^(exited|was killed)/.test(reason);
  const why = isPlain ? '' : ` (${maskLine(reason)})`;
  return `${when} with ${emphasise(how)}${why}, after ${formatDuration(uptimeMs)}`;
}
