/** Rows under headings, without borders: what fits a terminal, and what awk can take apart. */
import CliTable from 'cli-table3';
import { paint } from './palette.js';

/**
 * @typedef {object} Column
 * @property {string} heading
 * @property {number} importance the least important columns go first where the width is short
 * @property {(row: any) => string} text the cell, already masked
 * @property {(text: string, row: any) => string} [dress] colours for the cell
 * @property {'left' | 'right'} [align]
 * @property {boolean} [elastic] may be cut short when dropping columns does not suffice
 */

const gap = 2;
const narrowest = 6;

/**
 * @param {Column[]} columns
 * @param {any[]} rows
 * @param {import('./palette.js').Terminal} terminal
 * @returns {string} lines without a line end after the last
 */
export function renderColumns(columns, rows, terminal) {
  const fitting = fitColumns(columns, rows, terminal.width);
  const table = new CliTable({
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: fitting.map(({ column }) => column.align ?? 'left'),
  });
  table.push(fitting.map(({ column }) => paint(terminal).bold(column.heading)));
  for (const row of rows) {
    table.push(
      fitting.map(({ column, width }) => {
        const text = shorten(column.text(row), width);
        return column.dress ? column.dress(text, row) : text;
      }),
    );
  }
  return table.toString().replace(/ +$/gm, '');
}

const noBorders = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '' },
  ...{ right: '', 'right-mid': '', middle: ' '.repeat(gap) },
};

/**
 * @param {Column[]} columns
 * @param {any[]} rows
 * @param {number | null} width of the terminal
 * @returns {{column: Column, width: number}[]} the columns to show and how wide each may be
 */
function fitColumns(columns, rows, width) {
  let shown = columns.map((column) => ({ column, width: naturalWidth(column, rows) }));
  if (width === null) return shown;
  const total = () => shown.reduce((sum, each) => sum + each.width + gap, -gap);
  const droppable = columns
    .filter((column) => column.importance < Infinity)
    .sort((a, b) => a.importance - b.importance);
  for (const column of droppable) {
    if (total() <= width) return shown;
    shown = shown.filter((each) => each.column !== column);
  }
  for (const each of shown) {
    if (!each.column.elastic) continue;
    each.width = Math.max(
      Math.min(each.width, narrowest),
      each.width - Math.max(0, total() - width),
    );
  }
  return shown;
}

/**
 * @param {Column} column
 * @param {any[]} rows
 */
function naturalWidth(column, rows) {
  return Math.max(column.heading.length, ...rows.map((row) => column.text(row).length));
}

/**
 * @param {string} text
 * @param {number} width
 */
function shorten(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
