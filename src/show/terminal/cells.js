/** The cells of a table: how wide a text is, and which columns fit. */
import { withoutColours } from '../../shared/colours.js';
import { esPackage } from './es-packages.js';

/**
 * Characters of one column: ASCII, letters of Western languages (without the soft hyphen), dashes and
 * `…`, and what we draw ourselves: ticks, crosses, arrows, lines and bars.
 */
const oneColumnEach =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017f\u2013\u2014\u2026\u2190-\u2193\u2500\u2581-\u2588\u25b8\u2714\u2716]*$/;

/** @type {Intl.Segmenter | undefined} */
let graphemes;
/** The most code units that one column is assumed to take, with accents and joined emoji. */
const maxUnitsPerColumn = 32;

/** @param {string} text may contain colours @returns {number} terminal columns */
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
  // A part of a number would look like another number.
  if (text[head.length] !== ' ') head = head.replace(/ \d\S*$/, '');
  return width > 0 ? `${head}…` : '';
}

/**
 * @param {string} text without colours
 * @param {number} width
 * @returns {string[]} all of it, in rows of at most `width` columns
 */
export function wrap(text, width) {
  if (text.length <= width && widthOf(text) <= width) return [text];
  const options = { hard: true, trim: false, wordWrap: false };
  return esPackage('wrap-ansi').default(text, width, options).split('\n');
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

/**
 * @typedef {object} Claim what a column needs
 * @property {number} priority the lowest is dropped first; Infinity: never dropped
 * @property {number} minWidth below this it is of no use
 * @property {number} fullWidth at this width nothing is truncated
 * @property {true} [yields] it is dropped before any other is truncated
 */

/**
 * Starts with the minimum widths, so that a column is dropped before a more important one becomes
 * unreadable. The room that is left goes to the most important columns.
 * @template {Claim} T
 * @param {readonly T[]} claims in their order on the screen
 * @param {number | null} room columns of the terminal; null: no limit
 * @param {number} gap columns between two of them
 * @returns {{claim: T, width: number}[]} the columns that are shown
 */
export function fit(claims, room, gap) {
  if (room === null) return claims.map((claim) => ({ claim, width: claim.fullWidth }));
  const isTruncated = claims.reduce((sum, { fullWidth }) => sum + fullWidth + gap, -gap) > room;
  const rest = claims.filter(({ yields }) => !(yields && isTruncated));
  const byPriority = [...rest].sort((a, b) => a.priority - b.priority);
  const widths = new Map(rest.map((claim) => [claim, claim.minWidth]));
  const total = () => [...widths.values()].reduce((sum, width) => sum + width + gap, -gap);
  for (const claim of byPriority) {
    if (total() <= room || claim.priority === Infinity) break;
    widths.delete(claim);
  }
  let left = Math.max(0, room - total());
  for (const claim of byPriority.reverse()) {
    const width = widths.get(claim);
    if (width === undefined) continue;
    const extra = Math.min(left, claim.fullWidth - width);
    widths.set(claim, width + extra);
    left -= extra;
  }
  return claims.flatMap((claim) => {
    const width = widths.get(claim);
    return width === undefined ? [] : [{ claim, width }];
  });
}
