/** The newest log lines of the selected app or worker. */
import { truncate, widthOf } from '../../../cli/render/table/cells.js';
import { maskLine } from '../../../show/mask.js';
import { formatClock } from '../../../show/quantity.js';
import { paint } from '../../../cli/render/palette.js';
import { selectedRow } from '../state.js';

/**
 * @import { LogEntry, State } from '../state.js'
 * @import { Look } from './table.js'
 */

/**
 * @param {State} state
 * @param {number} height of the lines under the title
 * @param {Look} look
 * @param {string} place which rows the table above shows; '' if it shows all
 * @returns {string[]} the title and the lines
 */
export function drawLog(state, height, look, place) {
  const row = selectedRow(state);
  if (row === null) return ['', ...Array(height).fill('')];
  const { log } = state;
  const isRead = log.key === row.key;
  const entries = isRead ? log.entries.slice(-height) : [];
  const lines = entries.map((entry) => drawEntry(entry, row.kind === 'app', look));
  const isEmpty = isRead && entries.length === 0;
  const nothing = isEmpty ? [paint(look).dim('  No recent output.')] : [];
  const shown = [...nothing, ...lines];
  return [
    title(maskLine(row.key), place, look),
    ...shown,
    ...Array(Math.max(0, height - shown.length)).fill(''),
  ].slice(0, height + 1);
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

/** @param {LogEntry} entry @param {boolean} showsSlot @param {Look} look */
function drawEntry({ time, worker, stream, message, goesOn }, showsSlot, look) {
  const { dim, red } = paint(look);
  const clock = time === null ? '' : `${formatClock(time)} `;
  const slot = showsSlot && worker !== null ? `:${worker} ` : '';
  const head = ` ${clock}${slot}${goesOn ? '+ ' : ''}`;
  const text = truncate(maskLine(message), look.columns - widthOf(head));
  return dim(head) + (stream === 'error' ? red(text) : text);
}
