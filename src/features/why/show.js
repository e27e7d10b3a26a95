/** Where workers are: `why`, and what `describe` says of blocked ones. */
import { frameText, mainFrame, shortFrame } from '../../lifecycle/hang-policy.js';
import { escapeLine } from '../../show/escape.js';
import { formatAgo } from '../../show/quantity.js';

/**
 * @import { Stack, StackFrame, StackState } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 * @import { Paint } from '../../show/paint.js'
 */

/** In words that follow 'it'; others: it is blocked. @type {Partial<Record<StackState, string>>} */
const STATES = { running: 'is not blocked: its event loop turns', unknown: 'cannot be seen' };

/** @type {ShowFeature} */
export const why = {
  workerLines({ name, workers }, paint, now) {
    const lines = workers.flatMap(({ slot, stack }) => {
      if (!stack) return [];
      const head = `  ${escapeLine(name)}:${slot}  ${headOf(stack)}, seen ${formatAgo(stack.at, now)}`;
      return [head, ...frameLines(stack.frames, paint).map((line) => `    ${line}`)];
    });
    return lines.length === 0 ? [] : ['', paint.bold('Blocked'), ...lines];
  },
};

/** @param {Pick<Stack, 'state' | 'frames'> & {note?: string | null}} stack */
function headOf({ state, frames, note = null }) {
  const frame = mainFrame(frames);
  const text = STATES[state] ?? 'is blocked';
  if (!frame) return note === null ? text : escapeLine(note);
  return `${text} in ${escapeLine(shortFrame(frame))}${note === null ? '' : `; it ${escapeLine(note)}`}`;
}

/** @param {readonly StackFrame[]} frames @param {Paint} paint */
export function frameLines(frames, { dim }) {
  return frames.map((frame) => {
    const line = `at ${escapeLine(frameText(frame))}`;
    return frame.origin === 'program' ? line : dim(line);
  });
}
