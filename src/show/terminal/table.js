/** Draws the tables of all commands but `monit`. The only importer of cli-table3. */
import { createRequire } from 'node:module';
import { widthOf, truncate, fit } from './cells.js';
import { paint } from './palette.js';
import { escapeLine } from '../escape.js';
import { paintTone } from '../paint.js';

/**
 * @import { Terminal } from './palette.js'
 * @import { Column } from '../columns.js'
 * @import { Row } from '../rows.js'
 * @import Table from 'cli-table3'
 */

const require = createRequire(import.meta.url);
/** Columns between two cells. */
const gap = 2;
const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const noBorders = {
  ...Object.fromEntries(BORDERS.split(' ').map((name) => [name, ''])),
  middle: ' '.repeat(gap),
};
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };
const standIn = '\ue000';
/** Of a row, where widths do not depend on it: cli-table3 compares each row with all before it. */
const MOST_LINES = 10;
/**
 * @param {string[][]} rows cells of one line, which may contain colours; if a row has fewer cells
 *   than there are columns, its last cell spans the rest
 * @param {{align?: 'left' | 'right', width?: number}[]} columns a column without a width is as wide
 *   as its widest cell
 * @returns {string[]} lines without trailing spaces
 */
export function drawTable(rows, columns) {
  if (rows.length === 0) return [];
  // Loaded on first use, because many commands do not print a table.
  /** @type {typeof Table} */
  const CliTable = require('cli-table3');
  const table = new CliTable({
    chars: noBorders,
    style,
    colAligns: columns.map(({ align = 'left' }) => align),
    colWidths: columns.map(({ width = null }) => width),
  });
  // cli-table3 measures with an old string-width, which counts the accents of many scripts as columns. So a text is drawn
  // as a placeholder of the right width and inserted afterwards.
  const cells = rows.map((row) => row.map((text) => standIn.repeat(widthOf(text))));
  const texts = rows.flat().filter((text) => widthOf(text) > 0);
  const isFixed = columns.every(({ width }) => width !== undefined);
  const linesOfRow = isFixed ? MOST_LINES : 1;
  for (let first = 0; first < cells.length; first += linesOfRow) {
    const lines = cells.slice(first, first + linesOfRow);
    const contents = lines[0].map((_, index) => lines.map((line) => line[index]).join('\n'));
    table.push(
      contents.map((content, index) => ({
        content,
        colSpan: index === contents.length - 1 ? columns.length - index : 1,
      })),
    );
  }
  const drawn = table.toString().replace(/\ue000+/g, () => String(texts.shift()));
  return drawn.split('\n').map((line) => line.trimEnd());
}

/**
 * @typedef {object} Extras
 * @property {(text: string, width: number) => string} [shorten] how its cells are truncated
 * @property {(text: string, row: Row) => string} [colour] in place of that of its tone
 */

/**
 * Prints rows under headings: fitted to a terminal, or complete for a pipe.
 * @param {(Column & Extras)[]} columns
 * @param {Row[]} rows
 * @param {Terminal} terminal
 * @param {number} now epoch ms
 */
export function printTable(columns, rows, terminal, now) {
  const claims = columns.map((column) => {
    const texts = rows.map((row) => column.text(row, now));
    const fullWidth = Math.max(...[column.heading, ...texts].map(widthOf));
    const minWidth = Math.min(column.minWidth ?? fullWidth, fullWidth);
    const { priority, yields } = column;
    return { column, texts, priority, yields, minWidth, fullWidth };
  });
  const shown = fit(claims, terminal.width, gap).map(({ claim: { column, texts }, width }) => ({
    ...column,
    texts,
    width,
  }));
  const heading = shown.map((column) =>
    paint(terminal).dim(truncate(column.heading, column.width)),
  );
  const lines = rows.map((row, index) =>
    shown.map(({ texts, width, shorten = truncate, tone = () => '', colour }) => {
      const cell = shorten(texts[index], width);
      return colour ? colour(cell, row) : paintTone(tone(row, now), paint(terminal), cell);
    }),
  );
  return drawTable([heading, ...lines], shown);
}

const indentation = '  ';

/**
 * @param {[label: string, value: unknown, remark?: string][]} entries those without a value are left out
 * @param {Terminal} terminal
 */
export function labelledLines(entries, terminal) {
  const { dim } = paint(terminal);
  const rows = entries
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([label, value, remark]) => {
      const text = escapeLine(value);
      return [dim(label), remark ? `${text}  ${dim(remark)}` : text];
    });
  return indented(drawTable(rows, [{}, {}]));
}

/** @param {string[]} lines */
export function indented(lines) {
  return lines.map((line) => indentation + line);
}

/** @template {{width: number | null}} T @param {T} terminal @returns {T} its width reduced by the indentation */
export function narrower(terminal) {
  const { width } = terminal;
  return { ...terminal, width: width === null ? null : width - indentation.length };
}
