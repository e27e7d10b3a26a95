/** What a terminal can show: colours, and lines of a limited width. */
import { plain } from '../paint.js';
import { esPackage } from './es-packages.js';
import { widthOf } from './cells.js';

/**
 * @import { ChalkInstance } from 'chalk'
 * @import { Paint } from '../paint.js'
 */

/**
 * @typedef {object} Terminal
 * @property {number | null} width columns; null: no limit (a pipe)
 * @property {number} [height] lines
 * @property {boolean} colours whether ANSI colours may be used
 * @property {boolean} [isTerminal] false for a pipe or a file
 */

/** @type {ChalkInstance | undefined} */
let coloured;

/**
 * As chalk decides: `--no-color` and NO_COLOR win, then `--color` and FORCE_COLOR (0 or false: none;
 * any other value: colours), then whether it is a terminal. All levels show the same 16 colours.
 * @param {{isTerminal: boolean, env: Record<string, string | undefined>, argv: readonly string[]}} stream
 */
export function usesColours({ isTerminal, env, argv }) {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  if (env.NO_COLOR || flags.includes('--no-color')) return false;
  if (flags.includes('--color')) return true;
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  return isTerminal && env.TERM !== 'dumb';
}

/** @param {Pick<Terminal, 'colours'>} terminal @returns {Paint} without colours, chalk is not even loaded */
export function paint({ colours }) {
  return colours ? (coloured ??= new (esPackage('chalk').Chalk)({ level: 1 })) : plain;
}

/** Columns for words, even if the indentation takes nearly all of the width. */
const minTextWidth = 20;
/** Characters; measuring a longer line could take seconds, and the terminal breaks it anywhere. */
const maxWrapped = 4096;

/**
 * Breaks long lines between words. What has no blank, such as a URL, is left whole.
 * @param {string} text
 * @param {number | null} width of the terminal; null: lines are not wrapped
 * @param {string} [head] stands before each line of the text; wrapped lines continue at its right
 * @returns {string} wrapped lines continue with the indentation of their first line
 */
export function wrapText(text, width, head = '') {
  const below = ' '.repeat(width === null ? 0 : widthOf(head));
  return text
    .split('\n')
    .map((line) => (width === null ? [line] : rowsOf(line, width - below.length)))
    .map((rows) => head + rows.join(`\n${below}`))
    .join('\n');
}

/** @param {string} line @param {number} room columns @returns {string[]} */
function rowsOf(line, room) {
  if (line.length > maxWrapped || widthOf(line) <= room) return [line];
  const words = line.trimStart();
  const indentation = line.slice(0, line.length - words.length);
  const wrapAnsi = esPackage('wrap-ansi').default;
  const rows = wrapAnsi(words, Math.max(minTextWidth, room - indentation.length)).split('\n');
  return rows.map((row) => indentation + row);
}

/** @param {string} text without colours @param {number} width @returns {string[]} all of it, in rows of at most `width` columns */
export function wrapWords(text, width) {
  return esPackage('wrap-ansi').default(text, width, { hard: true }).split('\n');
}
