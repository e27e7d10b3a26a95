/** `describe`: how the workers of an app ended last, and what they said before. */
import { formatDuration } from '../../../shared/units.js';
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';

/**
 * @import { DescribedApp } from './app.js'
 * @import { PastExit } from '../../../protocol/shapes.js'
 * @import { Terminal } from '../palette.js'
 */

/**
 * @param {DescribedApp} app
 * @param {Terminal} terminal
 * @param {number} now epoch ms
 * @returns {string[]}
 */
export function exitLines({ name, slots = [] }, terminal, now) {
  const { bold, dim, red } = paint(terminal);
  const lines = slots.flatMap(({ slot, lastExit, earlierExits }) => {
    if (!lastExit) return [];
    return [
      `  ${maskLine(name)}:${slot}  ${exitText(lastExit, now, red)}`,
      ...lastExit.lastLines.map((line) => `    ${dim('|')} ${maskLine(line)}`),
      ...earlierExits.map((exit) => dim(`    before that: ${exitText(exit, now)}`)),
    ];
  });
  return lines.length === 0 ? [] : ['', bold('Unexpected ends'), ...lines];
}

/**
 * @param {PastExit} exit
 * @param {number} now
 * @param {(text: string) => string} [emphasise]
 */
function exitText(exit, now, emphasise = String) {
  const { code, signal, error, reason, uptimeMs, at } = exit;
  const when = `${formatDuration(Math.max(0, now - at))} ago`;
  if (code === null && !signal) {
    return `${when}: ${emphasise('no process at all')} (${maskLine(error ?? 'unknown')})`;
  }
  const how = signal ? `signal ${maskLine(signal)}` : `exit code ${code}`;
  // What the code or the signal says by itself is not said again.
  const isPlain = !reason || /^(exited|was killed)/.test(reason);
  const why = isPlain ? '' : ` (${maskLine(reason)})`;
  return `${when} with ${emphasise(how)}${why}, after ${formatDuration(uptimeMs)}`;
}
