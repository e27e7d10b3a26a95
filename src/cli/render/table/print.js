/** Prints rows under headings: fitted to a terminal, or complete for a pipe. */
import { paint } from '../palette.js';
import { truncate, widthOf } from './cells.js';
import { drawTable, gap } from './draw.js';
import { fit } from './fit.js';

/**
 * @import { Terminal } from '../palette.js'
 * @import { Column } from './columns.js'
 * @import { Row } from '../../../show/rows.js'
 */

/**
 * @typedef {object} Extras
 * @property {number} [minWidth] the width down to which its cells may be truncated
 * @property {(text: string, width: number) => string} [shorten] how they are truncated
 * @property {(text: string, row: Row) => string} [colour]
 */

/**
 * @param {(Column & Extras)[]} columns
 * @param {Row[]} rows
 * @param {Terminal} terminal
 * @returns {string[]} lines
 */
export function printTable(columns, rows, terminal) {
  const claims = columns.map((column) => {
    const texts = [column.heading, ...rows.map(column.text)];
    const fullWidth = Math.max(...texts.map(widthOf));
    const minWidth = Math.min(column.minWidth ?? fullWidth, fullWidth);
    return { column, priority: column.priority, minWidth, fullWidth };
  });
  const shown = fit(claims, terminal.width, gap).map(({ claim, width }) => ({
    ...claim.column,
    width,
  }));
  const { dim } = paint(terminal);
  const heading = shown.map((column) => dim(truncate(column.heading, column.width)));
  const lines = rows.map((row) =>
    shown.map(({ text, width, shorten = truncate, colour = String }) =>
      colour(shorten(text(row), width), row),
    ),
  );
  return drawTable([heading, ...lines], shown);
}
