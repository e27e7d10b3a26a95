/** Breaks long lines between words. */
import { esPackage } from '../es-packages.js';
import { widthOf } from './table/cells.js';

/** Columns for words, even if the indentation takes nearly all of the width. */
const minTextWidth = 20;

/**
 * @param {string} text
 * @param {number | null} width of the terminal; null: lines are not wrapped
 * @returns {string} wrapped lines continue with the indentation of their first line
 */
export function wrapText(text, width) {
  if (width === null) return text;
  return text.replace(/^( *)(.*)$/gm, (line, indentation, words) => {
    if (widthOf(line) <= width) return line;
    const wrapAnsi = esPackage('wrap-ansi').default;
    const lines = wrapAnsi(words, Math.max(minTextWidth, width - indentation.length));
    return lines.replace(/^/gm, indentation);
  });
}
