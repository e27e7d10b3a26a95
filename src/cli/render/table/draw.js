/** Draws the tables of all commands except `monit`. The only importer of cli-table3. */
import { createRequire } from 'node:module';
import { withoutColours } from '../../../shared/colours.js';
import { widthOf } from './cells.js';

/** @import Table from 'cli-table3' */

const require = createRequire(import.meta.url);
/** Columns between two cells. */
export const gap = 2;
const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };
const standIn = '\ue000';

/**
 * @param {string[][]} rows cells of one line, which may contain colours; if a row has fewer cells
 *   than there are columns, its last cell spans the rest
 * @param {{align?: 'left' | 'right', width?: number}[]} columns a column without a width is as wide
 *   as its widest cell
 * @returns {string[]} lines without trailing spaces
 */
export function drawTable(rows, columns) {
  // Loaded on first use, because many commands do not print a table.
  /** @type {typeof Table} */
  const CliTable = require('cli-table3');
  const table = new CliTable({
    chars: noBorders,
    style,
    colAligns: columns.map(({ align = 'left' }) => align),
    colWidths: columns.map(({ width = null }) => width),
  });
  /** @type {string[]} */
  const replaced = [];
  for (const row of rows) {
    table.push(
      row.map((text, index) => ({
        content: asciiFor(text, replaced),
        colSpan: index === row.length - 1 ? columns.length - index : 1,
      })),
    );
  }
  const drawn = table.toString().replace(/\ue000+/g, () => String(replaced.shift()));
  return drawn.split('\n').map((line) => line.trimEnd());
}

/**
 * cli-table3 measures with an old string-width, which counts the accents of many scripts as
 * columns. So non-ASCII text is drawn as a placeholder of the right width and inserted afterwards.
 * @param {string} text
 * @param {string[]} replaced
 */
function asciiFor(text, replaced) {
  if (/^[\x20-\x7e]*$/.test(withoutColours(text))) return text;
  replaced.push(text);
  return standIn.repeat(Math.max(1, widthOf(text)));
}
