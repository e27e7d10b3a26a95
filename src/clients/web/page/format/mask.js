/**
 * Makes the output of programs safe to read. The page puts it into text nodes, so that it is never
 * HTML; colours are removed, and characters that reverse or hide text are shown.
 */

/* eslint-disable no-control-regex -- control characters are the subject of this file */
const colourSequence = /\u001b\[[0-9;:]*m/g;
const controlCharacter =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/* eslint-enable no-control-regex */

/**
 * @param {unknown} value text of unknown origin
 * @returns {string} one line
 */
export function maskLine(value) {
  return String(value)
    .replace(colourSequence, '')
    .replaceAll('\t', '  ')
    .replace(controlCharacter, escapeCharacter);
}

/** @param {string} character */
function escapeCharacter(character) {
  const code = character.charCodeAt(0);
  const [letter, width] = code < 0x100 ? ['x', 2] : ['u', 4];
  return `\\${letter}${code.toString(16).padStart(width, '0')}`;
}
