/** A stack in words. */

/** @import { StackFrame } from '../protocol/shapes.js' */

/** Enough to find the place; the whole stack is in `describe` and `why`. */
const MAX_INNERMOST = 5;

/**
 * @param {readonly StackFrame[]} frames the innermost first
 * @returns {string | null} `hash (app.js:10:5)`: the innermost function of the program; null: no function
 */
export function whereIn(frames) {
  const frame = frames.find(({ origin }) => origin === 'program') ?? frames[0];
  if (frame === undefined) return null;
  return frameText({ ...frame, file: frame.file.split('/').at(-1) ?? '' });
}

/**
 * @param {readonly StackFrame[]} frames
 * @returns {string} `hash (/srv/app.js:10:5), called from handle (/srv/app.js:20:3)`
 */
export function stackInLine(frames) {
  return innermostOf(frames).map(frameText).join(', called from ');
}

/**
 * @param {readonly StackFrame[]} frames
 * @returns {StackFrame[]} a few of the program, or of Node if there is none
 */
export function innermostOf(frames) {
  const own = frames.filter(({ origin }) => origin === 'program');
  return (own.length > 0 ? own : frames).slice(0, MAX_INNERMOST);
}

/** @param {StackFrame} frame @returns {string} as in a stack trace of V8 */
export function frameText({ name, file, line, column }) {
  return `${name || '(anonymous)'} (${file || 'evaluated code'}:${line}:${column})`;
}
