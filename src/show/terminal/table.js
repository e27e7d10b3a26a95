/** Draws the tables of all commands, and gives `monit` the widths of its columns. The only importer of cli-table3. */
import { createRequire } from 'node:module';
import { withoutColours } from '../../shared/colours.js';
import { widthOf, truncate, fit } from './cells.js';
import { paint } from './palette.js';
import { escapeLine } from '../escape.js';
import { columns } from '../columns.js';
import { stateText, stateTone } from '../state.js';

/**
 * @import { Terminal } from './palette.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { Row } from '../rows.js'
 * @import { Colour } from '../paint.js'
 */

/** @import Table from 'cli-table3' */

const require = createRequire(import.meta.url);
/** Columns between two cells. */
const gap = 2;
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

/**
 * @typedef {object} Extras
 * @property {number} [minWidth] the width down to which its cells may be truncated
 * @property {(text: string, width: number) => string} [shorten] how they are truncated
 * @property {(text: string, row: Row) => string} [colour]
 */

/**
 * Prints rows under headings: fitted to a terminal, or complete for a pipe.
 * @param {(Column & Extras)[]} columns
 * @param {Row[]} rows
 * @param {Terminal} terminal
 * @param {number} now epoch ms
 * @returns {string[]} lines
 */
export function printTable(columns, rows, terminal, now) {
  const claims = columns.map((column) => {
    const texts = [column.heading, ...rows.map((row) => column.text(row, now))];
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
      colour(shorten(text(row, now), width), row),
    ),
  );
  return drawTable([heading, ...lines], shown);
}

const indentation = '  ';
/** A value longer than this does not push the remarks of the other rows to the right. */
const maxAlignedWidth = 44;

/**
 * Renders what is indented under a heading: values with their labels, and tables.
 * @param {[label: string, value: unknown, remark?: string][]} entries those without a value are
 *   left out
 * @param {Terminal} terminal
 * @returns {string[]} indented lines
 */
export function labelledLines(entries, terminal) {
  const { dim } = paint(terminal);
  const known = entries
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([label, value, remark = '']) => ({ label, text: escapeLine(value), remark }));
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

/**
 * @typedef {object} Column
 * @property {string} heading
 * @property {number} priority if there is no room, the column with the lowest priority is dropped
 *   first; Infinity: never dropped
 * @property {'left' | 'right'} align
 * @property {number} width in `monit`, where a column keeps its width from frame to frame
 * @property {(row: Row, now: number) => string} text
 * @property {(row: Row, now: number) => Colour} [tone] in `monit`
 * @property {(app: App) => boolean} [isNeeded] of `ls`
 */

/** In `monit`. @type {Record<string, number>} */
const WIDTHS = {
  id: 3,
  name: 20,
  namespace: 9,
  user: 10,
  mode: 7,
  status: 17,
  port: 5,
  cpu: 6,
  memory: 6,
  loop: 4,
  'delay p50': 9,
  delay: 6,
  heap: 6,
  conns: 5,
  'req/s': 6,
  '5xx/s': 5,
  open: 5,
  '5xx': 4,
  p50: 6,
  p99: 6,
  restarts: 8,
  uptime: 7,
  pid: 7,
  gen: 3,
};
const LEFT = ['name', 'namespace', 'user', 'mode', 'status'];

/** The columns of each table from left to right, each with its priority. */
const tables = {
  ls: {
    id: Infinity,
    name: Infinity,
    namespace: 2,
    user: 2.5,
    mode: 1,
    status: Infinity,
    port: 0,
    cpu: 9,
    memory: 8,
    loop: 4,
    delay: 3,
    'req/s': 5,
    open: 5.5,
    '5xx': 7.5,
    p99: 3.5,
    uptime: 6,
    restarts: 7,
    pid: 4.5,
  },
  workers: {
    id: Infinity,
    name: Infinity,
    status: Infinity,
    cpu: 9,
    memory: 8,
    uptime: 6,
    restarts: 7,
    pid: 4.5,
  },
  measured: {
    name: Infinity,
    loop: 9,
    'delay p50': 4,
    delay: 8,
    heap: 5,
    conns: 3,
    open: 3.5,
    'req/s': 10,
    '5xx/s': 6,
    p50: 2,
    p99: 7,
  },
  monit: {
    name: Infinity,
    status: 99,
    port: 36,
    cpu: 90,
    memory: 85,
    loop: 80,
    delay: 70,
    'req/s': 88,
    '5xx/s': 40,
    open: 37,
    p50: 30,
    p99: 75,
    conns: 25,
    heap: 20,
    restarts: 38,
    uptime: 35,
    pid: 15,
    gen: 12,
    id: 10,
  },
};

/**
 * The columns of `ls`, `describe` and `monit`: where each stands, and its width and priority.
 * @param {keyof typeof tables} table
 * @returns {Column[]} from left to right
 */
export function columnsOf(table) {
  return Object.entries(tables[table]).map(([heading, priority]) => ({
    ...(heading === 'status' ? { text: stateText, tone: stateTone } : columns[heading]),
    align: LEFT.includes(heading) ? 'left' : 'right',
    width: WIDTHS[heading],
    heading,
    priority,
  }));
}
