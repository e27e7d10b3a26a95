/**
 * Output of programs and text of files may hold control sequences, which move the cursor, rename the
 * window or reverse text. They are shown instead of sent to the terminal.
 */

/* eslint-disable no-control-regex -- control characters are the subject of this file */
const colourSequence = /\u001b\[[0-9;:]*m/g;
const eachColour = /(\u001b\[[0-9;:]*m)/;
const controlCharacter =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const unsafeInJson = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/* eslint-enable no-control-regex */
/** Ends all colours. */
export const colourReset = '\u001b[0m';

/**
 * @param {unknown} value text of unknown origin
 * @returns {string} one line: colours are taken out, every other control character is spelled
 */
export function maskLine(value) {
  return String(value)
    .replace(colourSequence, '')
    .replaceAll('\t', '  ')
    .replace(controlCharacter, spell);
}

/**
 * @param {unknown} value text of unknown origin that may have several lines
 * @returns {string} the same, its line ends kept
 */
export function maskText(value) {
  return String(value).split(/\r?\n/).map(maskLine).join('\n');
}

/**
 * @param {string} line of a program's output
 * @param {boolean} coloured whether its colours are kept; they end with the line then
 * @returns {string} tabs stay, every other control character is spelled
 */
export function maskMessage(line, coloured) {
  if (!coloured) return withoutColours(line).replace(controlCharacter, spell);
  const parts = line.split(eachColour);
  if (parts.length === 1) return line.replace(controlCharacter, spell);
  const masked = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replace(controlCharacter, spell),
  );
  return `${masked.join('')}${colourReset}`;
}

/** @param {string} line */
export function withoutColours(line) {
  return line.replace(colourSequence, '');
}

/**
 * @param {unknown} value what survives JSON
 * @returns {string} indented JSON without a character that a terminal could obey
 */
export function jsonText(value) {
  return JSON.stringify(value, null, 2).replace(unsafeInJson, escapeUnit);
}

/**
 * @param {unknown} value what survives JSON
 * @returns {string} the same on one line
 */
export function jsonLine(value) {
  return JSON.stringify(value).replace(unsafeInJson, escapeUnit);
}

/** @param {string} character */
function spell(character) {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : escapeUnit(character);
}

/** @param {string} character */
function escapeUnit(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
