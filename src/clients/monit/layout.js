/** The screen of `monit` as lines: head, table or page, log, foot. Pure. */
import { cell, truncate, widthOf } from '../../show/terminal/cells.js';
import { withoutColours } from '../../shared/colours.js';
import { colourReset, escapeLine } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';
import { drawFoot, drawHead } from './frame.js';
import { drawLog, firstLogView } from './log.js';
import { logHeight, pageHeight, selectedRow } from './state.js';
import { drawTable } from './table.js';

/**
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
  const { lines, place = '' } = drawMiddle(state, look, now);
  return [drawHead(state, look, now, place), ...lines, drawFoot(state, look)].slice(-rows);
}

/** @param {State} state @param {Look & {rows: number}} look @param {number} now @returns {Body} */
function drawMiddle(state, look, now) {
  const { rows } = look;
  if (rows < FIXED_ROWS + 2) return drawBody(state, look, rows - 2, now);
  const { view } = state;
  if (view.kind === 'page') return { lines: drawPage(view, look) };
  if (view.kind === 'log' || view.kind === 'search') {
    const height = logHeight(rows);
    const log = drawLog(state, view.kind === 'log' ? view : view.before, height, look);
    return { lines: padLines(log, height + 1) };
  }
  const room = rows - FIXED_ROWS;
  const paneHeight = Math.max(MIN_LOG_ROWS, Math.floor(room * LOG_SHARE));
  const tableHeight = Math.max(1, Math.min(Math.max(1, state.shown.length), room - paneHeight));
  const { lines, place } = drawBody(state, look, tableHeight + 1, now);
  const height = room - tableHeight;
  const pane = padLines(drawLog(state, firstLogView, height, look), height + 1);
  return { lines: [...lines, ...pane], place };
}

/** @typedef {{lines: string[], place?: string}} Body place: which rows of the table these are; '' if these are all */

/**
 * @param {State} state
 * @param {Look} look
 * @param {number} height with the headings
 * @param {number} now
 * @returns {Body}
 */
function drawBody(state, look, height, now) {
  if (height < 1) return { lines: [] };
  const { shown: rows, history } = state;
  if (rows.length === 0) return { lines: padLines([emptyText(state, look)], height) };
  const table = drawTable({ rows, selected: selectedRow(state), history, now }, height - 1, look);
  return { lines: padLines([table.heading, ...table.lines], height), place: table.place };
}

/** @param {State} state @param {Look} look */
function emptyText({ filter, apps }, look) {
  if (apps.length > 0) return truncate(`  Nothing matches ${escapeLine(filter)}`, look.columns);
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
