/** What stands under a heading, indented: values under their names, and tables. */
import { widthOf } from './cells.js';
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';

/** @import { Terminal } from '../palette.js' */

const indent = '  ';
const longestAligned = 44;

/**
 * @param {[label: string, value: unknown, remark?: string][]} rows those without a value are left out
 * @param {Terminal} terminal
 * @returns {string[]} remarks stand under each other where the values are short
 */
export function labelled(rows, terminal) {
  const { dim } = paint(terminal);
  const known = rows
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([label, value, remark = '']) => ({ label, text: maskLine(value), remark }));
  const labelWidth = Math.max(...known.map(({ label }) => label.length));
  const remarked = known.filter(({ remark }) => remark).map(({ text }) => widthOf(text));
  const valueWidth = Math.max(0, ...remarked.filter((width) => width <= longestAligned));
  return known.map(({ label, text, remark }) => {
    const name = `${indent}${dim(label.padEnd(labelWidth))}  `;
    const space = ' '.repeat(Math.max(0, valueWidth - widthOf(text)) + 2);
    // A default is what nobody has asked for.
    if (remark === 'default') return `${name}${dim(text + space + remark)}`;
    return name + text + (remark ? space + maskLine(remark) : '');
  });
}

/**
 * @param {string} text of several lines
 * @returns {string[]}
 */
export function indented(text) {
  return text.split('\n').map((line) => indent + line);
}

/**
 * @template {{width: number | null}} T
 * @param {T} terminal
 * @returns {T} what is left of it beside the indentation
 */
export function narrower(terminal) {
  const { width } = terminal;
  return { ...terminal, width: width === null ? null : width - indent.length };
}
