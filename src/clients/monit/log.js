/** The log of the selected row: the pane below the table, or the whole screen, where it is scrolled. Pure. */
import { formatClock } from '../../show/quantity.js';
import { escapeLine, escapeText } from '../../show/escape.js';
import { paintLevel } from '../../show/log-record.js';
import { moveIndex } from '../../show/rows.js';
import { truncate, widthOf, wrap } from '../../show/terminal/cells.js';
import { paint } from '../../show/terminal/palette.js';
import { selectedRow } from './state.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { State } from './state.js'
 * @import { Look } from './table.js'
 *
 * @typedef {object} LogView the log on the whole screen
 * @property {'log'} kind
 * @property {{entry: Entry, index: number} | null} top the first row on the screen, of those of the entry; null: the newest
 *   rows, also when others come
 */

/** @type {LogView} */
export const firstLogView = { kind: 'log', top: null };

/** Columns of a title that are not its text. */
const TITLE_ENDS = 6;
/** Share of a line that the time and the name of an app may take. */
const MAX_HEAD = 0.6;

/** @param {State} state @param {LogView} view @param {string} action @param {{height: number, width: number}} size @returns {LogView} */
export function moveInLog(state, view, action, { height, width }) {
  const rows = rowsOf(state, width);
  const index = moveIndex(action, firstShown(rows, view, height), rows.length, height);
  return { ...view, top: index >= rows.length - height ? null : rows[Math.max(0, index)] };
}

/** @param {Row[]} rows @param {LogView} view @param {number} height @returns {number} its index */
function firstShown(rows, { top }, height) {
  const last = Math.max(0, rows.length - height);
  if (top === null) return last;
  const first = rows.findIndex(({ entry }) => entry === top.entry);
  return Math.min(Math.max(0, first + top.index), last);
}

/**
 * @typedef {object} Row one line on the screen
 * @property {Entry} entry
 * @property {number} index among the rows of the entry
 * @property {string} head what is before the message
 * @property {string} text
 */

/** @param {State} state @param {number} width @param {number} [count] of the newest entries @returns {Row[]} */
function rowsOf(state, width, count = Infinity) {
  const isOfApp = selectedRow(state)?.kind === 'app';
  return state.log.entries.slice(-count).flatMap((entry) => {
    const { time, worker, goesOn } = entry;
    const clock = time === null ? '' : `${formatClock(time)} `;
    const name = isOfApp && worker !== null ? `:${worker} ` : '';
    const head = truncate(`${clock}${name}${goesOn ? '+ ' : ''}`, Math.floor(width * MAX_HEAD));
    const texts = wrapMessage(entry, Math.max(1, width - 1 - widthOf(head)));
    return texts.map((text, index) => ({ entry, index, head, text }));
  });
}

/** @type {WeakMap<Entry, {width: number, texts: string[]}>} */
const wrapped = new WeakMap();

/** @param {Entry} entry @param {number} width @returns {string[]} all of its message */
function wrapMessage(entry, width) {
  const known = wrapped.get(entry);
  if (known?.width === width) return known.texts;
  const text = escapeText(entry.message);
  const texts = text.split('\n').flatMap((line) => wrap(line, width));
  wrapped.set(entry, { width, texts });
  return texts;
}

/**
 * @param {State} state
 * @param {LogView} view
 * @param {number} height of the lines under the title
 * @param {Look} look
 * @returns {string[]} the title and the lines
 */
export function drawLog(state, view, height, look) {
  const row = selectedRow(state);
  if (row === null) return [];
  const { key, entries } = state.log;
  const title = `log of ${escapeLine(row.key)}`;
  if (key !== row.key) return [drawTitle(title, '', look)];
  if (entries.length === 0) {
    return [drawTitle(title, '', look), paint(look).dim('  No recent output.')];
  }
  const isWhole = state.view.kind === 'log';
  const rows = rowsOf(state, look.columns, isWhole ? Infinity : height);
  const from = firstShown(rows, view, height);
  const shown = rows.slice(from, from + height);
  const place = isWhole ? `lines ${from + 1}–${from + shown.length} of ${rows.length}` : '';
  return [drawTitle(title, place, look), ...shown.map((each) => drawRow(each, look))];
}

/** @param {string} heading @param {string} place @param {Look} look */
function drawTitle(heading, place, { columns, ...look }) {
  const { bold, dim } = paint(look);
  const text = truncate(heading, columns - TITLE_ENDS);
  const room = columns - widthOf(text) - 4;
  const end = place && place.length + 3 < room ? ` ${place}` : '';
  return `${dim('──')} ${bold(text)} ${dim('─'.repeat(room - end.length) + end)}`;
}

/** @param {Row} row @param {Look} look */
function drawRow({ entry: { level, stream }, index, head, text }, look) {
  const urgency = level ?? (stream === 'error' ? 'error' : null);
  const before = index === 0 ? ` ${paint(look).dim(head)}` : ' '.repeat(1 + widthOf(head));
  return before + paintLevel(urgency, paint(look), text);
}
