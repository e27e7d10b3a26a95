/** Measures and truncates text in terminal columns. */
import { withoutColours } from '../../../shared/colours.js';
import { esPackage } from '../../es-packages.js';

/**
 * Characters of one column: ASCII, letters of Western languages (without the soft hyphen), dashes and
 * `…`, and the ticks and crosses of our own messages.
 */
const oneColumnEach =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017f\u2013\u2014\u2026\u2192\u2714\u2716]*$/;

/** @type {Intl.Segmenter | undefined} */
let graphemes;
/** The most code units that one column is assumed to take, with accents and joined emoji. */
const maxUnitsPerColumn = 32;

/**
 * @param {string} text may contain colours
 * @returns {number} terminal columns
 */
export function widthOf(text) {
  const plain = withoutColours(text);
  if (oneColumnEach.test(plain)) return plain.length;
  // Its expressions for emoji take as long to load as all other code of `ls`.
  return esPackage('string-width').default(text);
}

/**
 * @param {string} text without colours
 * @param {number} width
 * @returns {string} at most `width` columns, with `…` at the end if it was truncated
 */
export function truncate(text, width) {
  // Measuring a long text completely would take minutes, because string-width is not linear.
  const start = text.slice(0, (width + 1) * maxUnitsPerColumn);
  if (start.length === text.length && widthOf(text) <= width) return text;
  graphemes ??= new Intl.Segmenter();
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
