/** Where in a text something stands, as people count: lines and columns from 1. */

/** Longer lines are cut round the caret, so that a minified file cannot fill the screen. */
const EXCERPT_WIDTH = 100;

/**
 * @param {string} text
 * @param {number} offset
 * @returns {{line: number, column: number}}
 */
export function positionOf(text, offset) {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/**
 * The line of a text with a caret below the column.
 * @param {string} text
 * @param {{line: number, column: number}} position
 * @returns {string}
 */
export function excerptOf(text, { line, column }) {
  const whole = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '').replace(/\t/g, ' ');
  const start = column > EXCERPT_WIDTH ? column - EXCERPT_WIDTH / 2 : 0;
  const shown = whole.slice(start, start + EXCERPT_WIDTH);
  const gutter = `  ${line} | `;
  const caret = ' '.repeat(gutter.length - 2) + '| ' + ' '.repeat(column - 1 - start) + '^';
  return `${gutter}${shown}\n${caret}`;
}
