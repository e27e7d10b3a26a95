/** Measures and truncates text in terminal columns. The only importer of string-width. */
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();
/** The most code units that one column is assumed to take, with accents and joined emoji. */
const maxUnitsPerColumn = 32;

/**
 * @param {string} text may contain colours
 * @returns {number} terminal columns
 */
export function widthOf(text) {
  return stringWidth(text);
}

/**
 * @param {string} text without colours
 * @param {number} width
 * @returns {string} no wider than that, with `…` at the end if it was truncated
 */
export function truncate(text, width) {
  // Measuring a long text completely would take minutes, because string-width is not linear.
  const start = text.slice(0, (width + 1) * maxUnitsPerColumn);
  if (start.length === text.length && widthOf(text) <= width) return text;
  let head = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(start)) {
    taken += widthOf(segment);
    if (taken >= width) break;
    head += segment;
  }
  return width > 0 ? `${head}…` : '';
}

/**
 * @param {string} text without colours
 * @param {number} width
 * @param {{align?: 'left' | 'right', colour?: (text: string) => string}} [style] colour: applied to
 *   the text, not to the padding
 * @returns {string} exactly `width` columns
 */
export function cell(text, width, { align = 'left', colour = String } = {}) {
  const shown = truncate(text, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)));
  const coloured = shown === '' ? '' : colour(shown);
  return align === 'left' ? coloured + space : space + coloured;
}
