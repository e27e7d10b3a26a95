/** `describe`: the last exits of an app's workers that no command caused, with their last output. */
import { exitText, exitsTitle } from '../../../show/exits.js';
import { maskLine } from '../../../show/mask.js';
import { paint } from '../palette.js';

/**
 * @import { AppDescription } from '../../../protocol/shapes.js'
 * @import { Terminal } from '../palette.js'
 */

/**
 * @param {AppDescription} app
 * @param {Terminal} terminal
 * @param {number} now epoch ms
 * @returns {string[]}
 */
export function exitLines(app, terminal, now) {
  const { name, slots } = app;
  const { bold, dim, red } = paint(terminal);
  const lines = slots.flatMap(({ slot, lastExit, earlierExits }) => {
    if (!lastExit) return [];
    return [
      `  ${maskLine(name)}:${slot}  ${exitText(lastExit, now, red)}`,
      ...lastExit.lastLines.map((line) => `    ${dim('|')} ${maskLine(line)}`),
      ...earlierExits.map((exit) => `    ${dim(`before that: ${exitText(exit, now)}`)}`),
    ];
  });
  return lines.length === 0 ? [] : ['', bold(exitsTitle(app)), ...lines];
}
