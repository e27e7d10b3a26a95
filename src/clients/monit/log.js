/** The log of the selected row: the pane below the table, or the whole screen, where it is scrolled and searched. Pure. */
import { formatClock } from '../../show/quantity.js';
import { escapeLine } from '../../show/escape.js';
import { moveIndex } from '../../show/rows.js';
import { truncate, widthOf } from '../../show/terminal/cells.js';
import { paint } from '../../show/terminal/palette.js';
import { selectedRow } from './state.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { Log, State } from './state.js'
 * @import { Look } from './table.js'
 */

/**
 * @typedef {object} LogView the log on the whole screen; lines are counted from the first one that was read
 * @property {'log'} kind
 * @property {number} top the first line on the screen; Infinity: the newest lines, also when others come
 * @property {number} left characters of each line that are left out
 * @property {string} search empty: nothing is searched for
 * @property {number | null} found the line that was found last; null: none
 * @property {string} place which match that is: `3 of 18`
 *
 * @typedef {{height: number, width: number}} Size of the lines on the screen
 */

/** @type {LogView} */
export const firstLogView = {
  kind: 'log',
  top: Infinity,
  left: 0,
  search: '',
  found: null,
  place: '',
};

/** Share of a line that the time and the name of an app may take. */
const MAX_HEAD = 0.6;
/** Characters by which ← and → move. */
const SHIFT = 40;

/**
 * @param {LogView} view
 * @param {string} action
 * @param {Log} log
 * @param {Size} size
 * @returns {LogView}
 */
export function moveInLog(view, action, log, size) {
  const { entries, dropped } = log;
  const { height } = size;
  if (action === 'left') return { ...view, left: Math.max(0, view.left - SHIFT) };
  if (action === 'right') return { ...view, left: view.left + SHIFT };
  if (action === 'older') return findInLog(view, -1, log, size);
  if (action === 'newer') return findInLog(view, 1, log, size);
  const lastTop = Math.max(0, entries.length - height);
  const next = moveIndex(action, firstShown(view, log, height), entries.length, height);
  return { ...view, top: next < lastTop ? dropped + next : Infinity };
}

/**
 * @param {LogView} view
 * @param {string} search
 * @param {Log} log
 * @param {Size} size
 * @returns {LogView} at the newest line with this text
 */
export function searchLog(view, search, log, size) {
  return findInLog({ ...view, search, found: null }, -1, log, size);
}

/** @param {LogView} view @param {1 | -1} step @param {Log} log @param {Size} size @returns {LogView} */
function findInLog(view, step, log, { height, width }) {
  const { entries, dropped, isOfAll } = log;
  const { search, found } = view;
  const matches = entries.flatMap(({ message }, index) =>
    placeOf(search, escapeLine(message)) === -1 ? [] : [index],
  );
  const start = found === null ? Infinity : found - dropped;
  const index =
    step === 1
      ? (matches.find((each) => each > start) ?? matches[0])
      : (matches.filter((each) => each < start).at(-1) ?? matches.at(-1));
  if (index === undefined) return { ...view, found: null };
  // Below the line there is room for what explains it, such as a stack.
  const top = Math.min(index - Math.floor(height / 3), entries.length - height);
  const entry = entries[index];
  const head = headOf(entry, whoOf(entry, isOfAll), width);
  return {
    ...view,
    found: dropped + index,
    place: `${matches.indexOf(index) + 1} of ${matches.length}`,
    top: dropped + Math.max(0, top),
    left: shiftTo(placeOf(search, escapeLine(entry.message)), view, width - 1 - widthOf(head)),
  };
}

/** @param {number} start of a match @param {LogView} view @param {number} room for a line @returns {number} `left` with which the match is visible */
function shiftTo(start, { left, search }, room) {
  const end = start + search.length;
  if (left <= start && end < left + room) return left;
  return end < room ? 0 : Math.max(0, start - Math.floor(room / 3));
}

/** @param {Entry} entry @param {boolean} isOfAll @returns {string} which worker wrote it, if all apps are shown of which app */
function whoOf({ app, worker }, isOfAll) {
  const slot = worker === null ? '' : `:${worker}`;
  return isOfAll ? escapeLine(app) + slot : slot;
}

/** @param {Entry} entry @param {string} who @param {number} width of the screen @returns {string} what is before the message */
function headOf({ time, goesOn }, who, width) {
  const clock = time === null ? '' : `${formatClock(time)} `;
  return truncate(`${clock}${who && `${who} `}${goesOn ? '+ ' : ''}`, Math.floor(width * MAX_HEAD));
}

/** @param {string} search @param {string} text @returns {number} -1: it is not in the text */
function placeOf(search, text) {
  return search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
}

/** @param {LogView} view @param {Log} log @param {number} height */
function firstShown({ top }, { entries, dropped }, height) {
  return Math.min(Math.max(0, top - dropped), Math.max(0, entries.length - height));
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
  const { log } = state;
  const isRead = log.key === row.key;
  const from = firstShown(view, log, height);
  const entries = isRead ? log.entries.slice(from, from + height) : [];
  const name = escapeLine(row.key);
  const isOfAll = isRead && log.isOfAll;
  const heading = isOfAll ? `${name} is silent; stderr of all apps` : `log of ${name}`;
  const lines = entries.map((entry, index) => {
    const who = isOfAll || row.kind === 'app' ? whoOf(entry, isOfAll) : '';
    const isFound = view.found === log.dropped + from + index;
    return drawEntry(entry, { who, isFound, view, look });
  });
  const isEmpty = isRead && entries.length === 0;
  const nothing = isEmpty ? [paint(look).dim('  No recent output.')] : [];
  const lineNumbers =
    isEmpty || !isRead ? '' : `lines ${from + 1}–${from + entries.length} of ${log.entries.length}`;
  return [drawTitle(heading, lineNumbers, look), ...nothing, ...lines];
}

/** @param {string} heading @param {string} place @param {Look} look */
function drawTitle(heading, place, { columns, supportsUnicode, ...look }) {
  const { bold, dim } = paint(look);
  const rule = supportsUnicode ? '─' : '-';
  const text = truncate(heading, columns - 6);
  const room = columns - widthOf(text) - 4;
  const end =
    place && place.length + 3 < room ? ` ${supportsUnicode ? place : place.replace('–', '-')}` : '';
  return `${dim(rule.repeat(2))} ${bold(text)} ${dim(rule.repeat(room - end.length) + end)}`;
}

/**
 * @param {Entry} entry
 * @param {{who: string, isFound: boolean, view: LogView, look: Look}} how
 */
function drawEntry(entry, { who, isFound, view, look }) {
  const { stream, message, isMark } = entry;
  const { bold, dim, inverse, red } = paint(look);
  const head = headOf(entry, who, look.columns);
  const pointer = isFound ? bold(look.supportsUnicode ? '▸' : '>') : ' ';
  const dash = look.supportsUnicode ? '—' : '-';
  const shown = isMark ? `${dash} ${message} ${dash}` : message;
  const text = truncate(escapeLine(shown).slice(view.left), look.columns - 1 - widthOf(head));
  const colour = isMark ? dim : stream === 'error' ? red : String;
  const start = placeOf(view.search, text);
  const end = start + view.search.length;
  const parts =
    start === -1
      ? [colour(text)]
      : [
          colour(text.slice(0, start)),
          inverse(colour(text.slice(start, end))),
          colour(text.slice(end)),
        ];
  return pointer + dim(head) + parts.join('');
}
