/** Text as wide as it appears: the only one that knows string-width. */
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();
/** Code units that one column may take, with accents and joined emoji; whoever needs more is cut. */
const MOST_PER_COLUMN = 32;

/**
 * @param {string} text may hold colours
 * @returns {number} columns that it takes on a terminal
 */
export function widthOf(text) {
  return stringWidth(text);
}

/**
 * @param {string} text without colours
 * @param {number} width
 * @returns {string} no wider than that; `…` at the end says that there was more
 */
export function cut(text, width) {
  // To measure all of a long text takes minutes: string-width is not linear.
  const near = text.slice(0, (width + 1) * MOST_PER_COLUMN);
  if (near.length === text.length && widthOf(text) <= width) return text;
  let kept = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(near)) {
    taken += widthOf(segment);
    if (taken >= width) break;
    kept += segment;
  }
  return width > 0 ? `${kept}…` : '';
}

/**
 * @param {string} text without colours
 * @param {number} width
 * @param {{align?: 'left' | 'right', dress?: (text: string) => string}} [style] dress: colours for
 *   the text, not for the space beside it
 * @returns {string} exactly so wide
 */
export function cell(text, width, { align = 'left', dress } = {}) {
  const shown = cut(text, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)));
  const dressed = dress && shown !== '' ? dress(shown) : shown;
  return align === 'left' ? dressed + space : space + dressed;
}
