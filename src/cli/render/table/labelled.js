/** Renders what is indented under a heading: values with their labels, and tables. */
import { maskLine } from '../mask.js';
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
  const aligned = known
    .filter(({ text, remark }) => remark && widthOf(text) <= maxAlignedWidth)
    .map(({ text }) => widthOf(text));
  const rows = known.map(({ label, text, remark }) => {
    const isAligned = remark && widthOf(text) <= maxAlignedWidth;
    const cells = isAligned ? [text, remark] : [`${text}  ${remark}`];
    // Defaults are dimmed, so that the user's own settings stand out.
    return [dim(label), ...(remark === 'default' ? cells.map((each) => dim(each)) : cells)];
  });
  return indented(drawTable(rows, [{}, { width: Math.max(0, ...aligned) }, {}]));
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
