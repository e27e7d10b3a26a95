/** Breaks long lines between words. The only importer of wrap-ansi. */
import wrapAnsi from 'wrap-ansi';

/** Columns left for words even where the indentation takes nearly all of the width. */
const minTextWidth = 20;

/**
 * @param {string} text
 * @param {number | null} width of the terminal; null: nothing is broken
 * @returns {string} broken lines continue with the indentation that they began with
 */
export function wrapText(text, width) {
  if (width === null) return text;
  return text.replace(/^( *)(.*)$/gm, (_line, indent, words) =>
    wrapAnsi(words, Math.max(minTextWidth, width - indent.length)).replace(/^/gm, indent),
  );
}
