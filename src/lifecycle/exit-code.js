/** @import { PastExit } from '../protocol/shapes.js' */

const STDIN_ENDED = {
  empty: ' because its stdin, /dev/null, is empty',
  given: ' at the end of its stdin',
};

/** @param {number} code @param {PastExit['stdinEnded']} [stdinEnded] */
export function withCode(code, stdinEnded) {
  return `with code ${code}${stdinEnded ? STDIN_ENDED[stdinEnded] : ''}`;
}
