/** Colours in the output of programs. */

// eslint-disable-next-line no-control-regex -- colours begin with a control character
export const colourSequence = /\u001b\[[0-9;:]*m/g;

/** @param {string} text */
export function withoutColours(text) {
  return text.replace(colourSequence, '');
}
