/** Rows under headings, without borders: what fits a terminal, and what awk can take apart. */
import { cell, cut, widthOf } from './cells.js';
import { fit } from './fit.js';
import { paint } from '../palette.js';

/** @import { Terminal } from '../palette.js' */

/**
 * @typedef {object} Column
 * @property {string} heading
 * @property {number} importance the least important columns go first where the width is short
 * @property {(row: any) => string} text the cell, already masked
 * @property {(text: string, row: any) => string} [dress] colours for the cell
 * @property {'left' | 'right'} [align]
 * @property {number} [least] the width down to which its cells may be cut short
 * @property {(text: string, width: number) => string} [shorten] how they are cut
 */

const gap = 2;

/**
 * @param {Column[]} columns
 * @param {any[]} rows
 * @param {Terminal} terminal
 * @returns {string} lines without a line end after the last
 */
export function renderColumns(columns, rows, terminal) {
  const claims = columns.map((column) => claimOf(column, rows));
  const shown = fit(claims, terminal.width, gap);
  const heading = shown.map(({ claim: { column }, width }) =>
    cell(column.heading, width, { align: column.align, dress: paint(terminal).dim }),
  );
  const lines = rows.map((row) =>
    shown.map(({ claim: { column }, width }) => {
      const { text, shorten = cut, align, dress = same } = column;
      return cell(shorten(text(row), width), width, { align, dress: (part) => dress(part, row) });
    }),
  );
  return [heading, ...lines].map((cells) => cells.join(' '.repeat(gap)).trimEnd()).join('\n');
}

/**
 * @param {Column} column
 * @param {any[]} rows
 */
function claimOf(column, rows) {
  const wanted = Math.max(...[column.heading, ...rows.map(column.text)].map(widthOf));
  const { importance, least = wanted } = column;
  return { column, importance, wanted, least: Math.min(least, wanted) };
}

/** @param {string} text */
function same(text) {
  return text;
}
