/** The screen of `monit` as lines: head, table or page, log, foot. Pure. */
import { cell, truncate, widthOf } from '../../show/terminal/cells.js';
import { withoutColours } from '../../shared/colours.js';
import { colourReset, maskLine } from '../../show/mask.js';
import { paint } from '../../show/terminal/palette.js';
import { drawFoot, drawHead } from './frame.js';
import { pageHeight, selectedRow, shownRows } from './state.js';
import { drawTable } from './table.js';
import { formatClock } from '../../show/quantity.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { State } from './state.js'
 * @import { Look } from './table.js'
 */

/** Head, headings of the table, title of the log, foot. */
const FIXED_ROWS = 4;
const LOG_SHARE = 0.3;
const MIN_LOG_ROWS = 3;

/**
 * @param {State} state
 * @param {Look & {rows: number}} look
 * @param {number} now epoch ms
 * @returns {string[]} one for each row of the terminal, none wider than it
 */
export function layout(state, look, now) {
  const { rows } = look;
  const head = drawHead(state, look, now);
  const foot = drawFoot(state, look);
  if (rows < FIXED_ROWS + 2)
    return [head, ...drawBody(state, look, rows - 2, now).lines, foot].slice(-rows);
  if (state.view.kind === 'page') return [head, ...drawPage(state.view, look), foot];
  const room = rows - FIXED_ROWS;
  const logHeight = Math.max(MIN_LOG_ROWS, Math.floor(room * LOG_SHARE));
  const shown = shownRows(state);
  const tableHeight = Math.max(1, Math.min(Math.max(1, shown.length), room - logHeight));
  const { lines, place } = drawBody(state, look, tableHeight + 1, now);
  return [head, ...lines, ...drawLog(state, room - tableHeight, look, place), foot];
}

/**
 * @param {State} state
 * @param {Look} look
 * @param {number} height with the headings
 * @param {number} now
 */
function drawBody(state, look, height, now) {
  if (height < 1) return { lines: [], place: '' };
  const rows = shownRows(state);
  if (rows.length === 0) return { lines: padLines([emptyText(state, look)], height), place: '' };
  const { history } = state;
  const table = drawTable({ rows, selected: selectedRow(state), history, now }, height - 1, look);
  return { lines: padLines([table.heading, ...table.lines], height), place: table.place };
}

/** @param {State} state @param {Look} look */
function emptyText({ filter, apps }, look) {
  if (apps.length > 0) return truncate(`  Nothing matches ${maskLine(filter)}`, look.columns);
  return truncate('  No apps. Start one: nodecluster start app.js -i max', look.columns);
}

/** @param {Extract<State['view'], {kind: 'page'}>} view @param {Look & {rows: number}} look */
function drawPage({ lines, top }, look) {
  const height = pageHeight(look.rows);
  // Since the user scrolled, the page may have become shorter or the terminal taller.
  const from = Math.min(top, Math.max(0, lines.length - height));
  const shown = lines.slice(from, from + height);
  const below = lines.length - from - shown.length;
  const page = padLines(shown, height);
  if (below > 0)
    page[height - 1] = paint(look).dim(cell(`  ${below + 1} more lines ↓`, look.columns));
  return page.map((line) => pageLine(line, look.columns));
}

/**
 * @param {string} line may contain colours; they are reset at its end
 * @param {number} columns
 */
function pageLine(line, columns) {
  if (widthOf(line) > columns) return truncate(withoutColours(line), columns);
  return line.includes('\u001b') ? line + colourReset : line;
}

/** @param {string[]} lines @param {number} height */
function padLines(lines, height) {
  return [...lines, ...Array(Math.max(0, height - lines.length)).fill('')].slice(0, height);
}

/**
 * The newest log lines of the selected app or worker.
 * @param {State} state
 * @param {number} height of the lines under the title
 * @param {Look} look
 * @param {string} place which rows the table above shows; '' if it shows all
 * @returns {string[]} the title and the lines
 */
function drawLog(state, height, look, place) {
  const row = selectedRow(state);
  if (row === null) return padLines([], height + 1);
  const { log } = state;
  const isRead = log.key === row.key;
  const entries = isRead ? log.entries.slice(-height) : [];
  const lines = entries.map((entry) => drawEntry(entry, row.kind === 'app', look));
  const isEmpty = isRead && entries.length === 0;
  const nothing = isEmpty ? [paint(look).dim('  No recent output.')] : [];
  return [title(maskLine(row.key), place, look), ...padLines([...nothing, ...lines], height)];
}

/** @param {string} name @param {string} place @param {Look} look */
function title(name, place, { columns, supportsUnicode, ...look }) {
  const { bold, dim } = paint(look);
  const rule = supportsUnicode ? '─' : '-';
  const text = truncate(`log of ${name}`, columns - 6);
  const room = columns - widthOf(text) - 4;
  const end =
    place && place.length + 3 < room ? ` ${supportsUnicode ? place : place.replace('–', '-')}` : '';
  return `${dim(rule.repeat(2))} ${bold(text)} ${dim(rule.repeat(room - end.length) + end)}`;
}

/** @param {Entry} entry @param {boolean} showsSlot @param {Look} look */
function drawEntry({ time, worker, stream, message, goesOn }, showsSlot, look) {
  const { dim, red } = paint(look);
  const clock = time === null ? '' : `${formatClock(time)} `;
  const slot = showsSlot && worker !== null ? `:${worker} ` : '';
  const head = ` ${clock}${slot}${goesOn ? '+ ' : ''}`;
  const text = truncate(maskLine(message), look.columns - widthOf(head));
  return dim(head) + (stream === 'error' ? red(text) : text);
}
