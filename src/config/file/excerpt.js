/** A width that keeps the one long line of a minified file from filling the screen. */
const EXCERPT_WIDTH = 100;

/**
 * The line of a text with a caret below the column.
 * @param {string} text
 * @param {{line: number, column: number}} position both from 1
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
