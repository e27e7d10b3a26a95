/** `describe`: the last exits of an app's workers that no command caused, with their last output. */
import { formatDuration } from '../../../shared/units.js';
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';

/**
 * @import { AppDescription, PastExit } from '../../../protocol/shapes.js'
 * @import { Terminal } from '../palette.js'
 */

/**
 * @param {AppDescription} app
 * @param {Terminal} terminal
 * @param {number} now epoch ms
 * @returns {string[]}
 */
export function exitLines({ name, slots, job }, terminal, now) {
  const { bold, dim, red } = paint(terminal);
  const lines = slots.flatMap(({ slot, lastExit, earlierExits }) => {
    if (!lastExit) return [];
    return [
      `  ${maskLine(name)}:${slot}  ${exitText(lastExit, now, red)}`,
      ...lastExit.lastLines.map((line) => `    ${dim('|')} ${maskLine(line)}`),
      ...earlierExits.map((exit) => `    ${dim(`before that: ${exitText(exit, now)}`)}`),
    ];
  });
  return lines.length === 0
    ? []
    : ['', bold(job === null ? 'Recent exits' : 'Recent runs'), ...lines];
}

/** @param {PastExit} exit @param {number} now @param {(text: string) => string} [emphasise] */
function exitText({ code, signal, error, reason, uptimeMs, at }, now, emphasise = String) {
  const when = `${formatDuration(Math.max(0, now - at))} ago`;
  if (code === null && !signal) {
    return `${when}: ${emphasise('could not be started')} (${maskLine(error ?? 'unknown')})`;
  }
  const how = signal ? `signal ${maskLine(signal)}` : `exit code ${code}`;
  // Some reasons only repeat the code or the signal.
  const isPlain = !reason || /^(exited|was killed)/.test(reason);
  const why = isPlain ? '' : ` (${maskLine(reason)})`;
  return `${when} with ${emphasise(how)}${why}, after ${formatDuration(uptimeMs)}`;
}
