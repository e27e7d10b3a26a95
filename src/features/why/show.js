/** Where workers are: `why`, and what `describe` says of blocked ones. */
import { frameText, whereIn } from '../../lifecycle/stack-text.js';
import { maskLine } from '../../cli/render/mask.js';
import { paint } from '../../cli/render/palette.js';
import { indented } from '../../cli/render/table/labelled.js';

/**
 * @import { AppStacks, AppView, Stack, StackFrame, StackState } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../cli/render/palette.js'
 */

/** In words that follow 'it'. @type {Record<StackState, string>} */
const STATES = {
  running: 'is not blocked: its event loop turns',
  blocked: 'is blocked',
  native: 'is blocked',
  stopped: 'is blocked',
  unknown: 'cannot be seen',
};

/**
 * @param {AppStacks[]} apps
 * @param {Terminal} terminal
 * @returns {string}
 */
export function renderStacks(apps, terminal) {
  const { bold } = paint(terminal);
  const blocks = apps.flatMap(({ name, workers }) =>
    workers.map(({ slot, ...stack }) =>
      [
        `${bold(`${maskLine(name)}:${slot}`)} ${headOf(stack)}`,
        ...indented(frameLines(stack.frames, terminal)),
      ].join('\n'),
    ),
  );
  return blocks.join('\n');
}

/**
 * @param {AppView} app
 * @param {Terminal} terminal
 * @returns {string[]} of workers whose event loops are blocked
 */
export function stackLines({ name, workers }, terminal) {
  const lines = workers.flatMap(({ slot, stack }) => {
    if (!stack) return [];
    const seen = new Date(stack.at).toTimeString().slice(0, 8);
    const head = `  ${maskLine(name)}:${slot}  ${headOf(stack)}, seen at ${seen}`;
    return [head, ...indented(frameLines(stack.frames, terminal))];
  });
  return lines.length === 0 ? [] : ['', paint(terminal).bold('Blocked'), ...lines];
}

/** @param {Pick<Stack, 'state' | 'frames' | 'note'>} stack */
function headOf({ state, frames, note }) {
  const where = whereIn(frames);
  if (where === null) return note === null ? STATES[state] : maskLine(note);
  return `${STATES[state]} in ${maskLine(where)}${note === null ? '' : `; it ${maskLine(note)}`}`;
}

/** @param {readonly StackFrame[]} frames @param {Terminal} terminal */
function frameLines(frames, terminal) {
  const { dim } = paint(terminal);
  return frames.map((frame) => {
    const line = `  at ${maskLine(frameText(frame))}`;
    return frame.origin === 'program' ? line : dim(line);
  });
}
