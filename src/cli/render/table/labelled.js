/** Renders what is indented under a heading: values with their labels, and tables. */
import { maskLine } from '../../../show/mask.js';
import { paint } from '../palette.js';
import { widthOf } from './cells.js';
import { drawTable } from './draw.js';

/** @import { Terminal } from '../palette.js' */

const indentation = '  ';
/** A value longer than this does not push the remarks of the other rows to the right. */
const maxAlignedWidth = 44;

/**
 * @param {[label: string, value: unknown, remark?: string][]} entries those without a value are
 *   left out
 * @param {Terminal} terminal
 * @returns {string[]} indented lines
 */
export function labelledLines(entries, terminal) {
  const { dim } = paint(terminal);
  const known = entries
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([label, value, remark = '']) => ({ label, text: maskLine(value), remark }));
  const around = widest(known, 'label') + widest(known, 'remark') + 3 * indentation.length;
  const maxWidth = Math.min(maxAlignedWidth, (terminal.width ?? Infinity) - around);
  const isShort = (/** @type {{text: string}} */ { text }) => widthOf(text) <= maxWidth;
  const aligned = known.filter((each) => each.remark && isShort(each));
  const rows = known.map((each) => {
    const { label, text, remark } = each;
    const isAligned = remark && isShort(each);
    const cells = isAligned ? [text, remark] : [`${text}  ${remark}`];
    // Defaults are dimmed, so that the user's own settings stand out.
    return [dim(label), ...(remark === 'default' ? cells.map((each) => dim(each)) : cells)];
  });
  return indented(drawTable(rows, [{}, { width: widest(aligned, 'text') }, {}]));
}

/** @param {Record<'label' | 'text' | 'remark', string>[]} entries @param {'label' | 'text' | 'remark'} key */
function widest(entries, key) {
  return Math.max(0, ...entries.map((entry) => widthOf(entry[key])));
}

/**
 * @param {string[]} lines
 * @returns {string[]}
 */
export function indented(lines) {
  return lines.map((line) => indentation + line);
}

/**
 * @template {{width: number | null}} T
 * @param {T} terminal
 * @returns {T} its width reduced by the indentation
 */
export function narrower(terminal) {
  const { width } = terminal;
  return { ...terminal, width: width === null ? null : width - indentation.length };
}
