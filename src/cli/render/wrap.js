/** Breaks long lines between words. The only importer of wrap-ansi. */
import { createRequire } from 'node:module';
import { onDemand } from '../on-demand.js';
import { widthOf } from './table/cells.js';

const require = createRequire(import.meta.url);
const wrapAnsi = await onDemand(
  () => /** @type {typeof import('wrap-ansi')} */ (require('wrap-ansi')),
  () => import('wrap-ansi'),
);

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
    const lines = wrapAnsi().default(words, Math.max(minTextWidth, width - indentation.length));
    return lines.replace(/^/gm, indentation);
  });
}
