/** The log of the selected row: the pane below the table, or the whole screen, where it is scrolled and searched. Pure. */
import { formatClock } from '../../show/quantity.js';
import { escapeLine, escapeText } from '../../show/escape.js';
import { helpOf } from '../../show/help.js';
import { paintLevel } from '../../show/log-record.js';
import { hasProblem, moveIndex } from '../../show/rows.js';
import { truncate, widthOf, wrap } from '../../show/terminal/cells.js';
import { paint, wrapWords } from '../../show/terminal/palette.js';
import { isWholeLog, selectedRow, showsOnlyErrors } from './state.js';

/**
 * @import { BareRow } from '../../show/rows.js'
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { Paint } from '../../show/paint.js'
 * @import { State } from './state.js'
 * @import { Look } from './table.js'
 */

/**
 * @typedef {object} LogView the log on the whole screen; lines are counted from the first one that was read
 * @property {'log'} kind
 * @property {number} top the first line on the screen; Infinity: the newest lines, also when others come
 * @property {string} search empty: nothing is searched for
 * @property {number | null} found the line that was found last; null: none
 * @property {string} place which match that is: `3 of 18`
 *
 * @typedef {{height: number, width: number}} Size of the screen, without the title
 */

/** @type {LogView} */
export const firstLogView = {
  kind: 'log',
  top: Infinity,
  search: '',
  found: null,
  place: '',
};

/** Columns of a title that are not its text. */
const TITLE_ENDS = 6;
/** Share of a line that the time and the name of an app may take. */
const MAX_HEAD = 0.6;

/**
 * @param {State} state
 * @param {LogView} view
 * @param {string} action
 * @param {Size} size
 * @returns {LogView}
 */
export function moveInLog(state, view, action, size) {
  if (action === 'older') return findInLog(state, view, -1, size);
  if (action === 'newer') return findInLog(state, view, 1, size);
  const { entries, dropped } = state.log;
  const from = firstShown(state, view, size);
  const half = { ...size, height: Math.floor(size.height / 2) };
  const page = 2 * Math.max(1, countFitting(state, from, action === 'page-up' ? -1 : 1, half));
  const next = moveIndex(action, from, entries.length, page);
  const isEnd = action === 'last' || next >= lastTop(state, size);
  return { ...view, top: isEnd ? Infinity : dropped + next };
}

/**
 * @param {State} state
 * @param {LogView} view
 * @param {string} search
 * @param {Size} size
 * @returns {LogView} at the newest line with this text
 */
export function searchLog(state, view, search, size) {
  return findInLog(state, { ...view, search, found: null }, -1, size);
}

/** @param {State} state @param {LogView} view @param {1 | -1} step @param {Size} size @returns {LogView} */
function findInLog(state, view, step, size) {
  const { entries, dropped } = state.log;
  const { search, found } = view;
  const isMatch = (/** @type {string} */ text) => placeOf(search, escapeText(text)) !== -1;
  const matches = entries.flatMap(({ message, written = '' }, index) =>
    isMatch(message) || isMatch(written) ? [index] : [],
  );
  const start = found === null ? Infinity : found - dropped;
  const index =
    step === 1
      ? (matches.find((each) => each > start) ?? matches[0])
      : (matches.filter((each) => each < start).at(-1) ?? matches.at(-1));
  if (index === undefined) return { ...view, found: null };
  // Below the line there is room for what explains it, such as a stack.
  const above = { ...size, height: Math.floor(size.height / 3) };
  const top = Math.min(index - countFitting(state, index, -1, above), lastTop(state, size));
  return {
    ...view,
    found: dropped + index,
    place: `${matches.indexOf(index) + 1} of ${matches.length}`,
    top: dropped + top,
  };
}

/** @param {State} state @param {number} from @param {1 | -1} step @param {Size} size @returns {number} how many entries fit, from there on or before it */
function countFitting(state, from, step, { height, width }) {
  const { entries } = state.log;
  let [count, left] = [0, height];
  for (let index = step === 1 ? from : from - 1; entries[index]; index += step) {
    left -= wrapEntry(state, entries[index], width).rows.length;
    if (left < 0) break;
    count += 1;
  }
  return count;
}

/** @param {State} state @param {Size} size @returns {number} the first of the newest entries that fit */
function lastTop(state, size) {
  const { length } = state.log.entries;
  return length - countFitting(state, length, -1, size);
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

/** @param {State} state @param {LogView} view @param {Size} size */
function firstShown(state, { top }, size) {
  return Math.min(Math.max(0, top - state.log.dropped), lastTop(state, size));
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
  const { entries, key, isOfAll } = state.log;
  const name = escapeLine(row.key);
  const title = `${showsOnlyErrors(state, row) ? 'errors' : 'log'} of ${name}`;
  if (key !== row.key) return [drawTitle(title, '', look)];
  // On the whole screen there are only lines of the log.
  const advice = isWholeLog(state) ? null : adviceOn(row, state.framedAt);
  const heading = isOfAll ? `${name} is silent; stderr of all apps` : title;
  const text = [heading, ...(advice ? [advice.what] : [])].join(', ');
  const below = advice?.command ? wrapWords(advice.command, look.columns) : [];
  if (entries.length === 0) {
    return [drawTitle(text, '', look), ...below, paint(look).dim('  No recent output.')];
  }
  const { lines, from, end } = drawEntries(state, view, height - below.length, look);
  const place = `lines ${from + 1}–${end} of ${entries.length}`;
  return [drawTitle(text, place, look), ...below, ...lines];
}

/** @param {BareRow} row @param {number} now epoch ms @returns {{what: string, command: string} | null} what helps its app, besides its log, which is here; command: to be copied in full; empty: a key does it */
function adviceOn(row, now) {
  const { app, kind } = row;
  if (kind === 'worker' && !hasProblem(row, now)) return null;
  const help = helpOf(app, now).find(([command]) => !command.startsWith('logs '));
  if (!help) return null;
  const [command, why] = help;
  return command.startsWith('why ')
    ? { what: `press w to ${why}`, command: '' }
    : {
        what: `to do${kind === 'worker' ? ` for ${escapeLine(app.name)}` : ''}: ${why}`,
        command: `nodecluster ${command}`,
      };
}

/** @param {State} state @param {LogView} view @param {number} height @param {Look} look */
function drawEntries(state, view, height, look) {
  const { entries, dropped } = state.log;
  const draw = (/** @type {number} */ index) =>
    drawEntry(state, entries[index], { isFound: view.found === dropped + index, view, look });
  let from = firstShown(state, view, { height, width: look.columns });
  let end = from;
  /** @type {string[]} */
  let lines = [];
  while (end < entries.length && lines.length < height) lines.push(...draw(end++));
  if (view.top !== Infinity) return { lines: lines.slice(0, height), from, end };
  // Of the one before, its end.
  if (from > 0 && lines.length < height) lines = [...draw(--from), ...lines];
  return { lines: lines.slice(-height), from, end };
}

/** @param {string} heading @param {string} place @param {Look} look */
function drawTitle(heading, place, { columns, supportsUnicode, ...look }) {
  const { bold, dim } = paint(look);
  const rule = supportsUnicode ? '─' : '-';
  const text = truncate(heading, columns - TITLE_ENDS);
  const room = columns - widthOf(text) - 4;
  const end =
    place && place.length + 3 < room ? ` ${supportsUnicode ? place : place.replace('–', '-')}` : '';
  return `${dim(rule.repeat(2))} ${bold(text)} ${dim(rule.repeat(room - end.length) + end)}`;
}

/**
 * @param {State} state
 * @param {Entry} entry
 * @param {number} width of the screen
 * @param {string} [dash] around a mark
 * @returns {{head: string, rows: string[]}} rows: of the message, all of it
 */
function wrapEntry(state, entry, width, dash = '—') {
  const { isOfAll } = state.log;
  const { message, isMark } = entry;
  const who = isOfAll || selectedRow(state)?.kind === 'app' ? whoOf(entry, isOfAll) : '';
  const head = headOf(entry, who, width);
  const text = escapeText(isMark ? `${dash} ${message} ${dash}` : message);
  return {
    head,
    rows: text.split('\n').flatMap((line) => wrap(line, width - 1 - widthOf(head))),
  };
}

/** @param {Entry} entry @param {Paint} paint @param {string} text */
function paintEntry({ level, stream, isMark }, paint, text) {
  return paintLevel(level ?? (stream === 'error' ? 'error' : null), paint, text, isMark && 'dim');
}

/**
 * @param {State} state
 * @param {Entry} entry
 * @param {{isFound: boolean, view: LogView, look: Look}} how
 */
function drawEntry(state, entry, { isFound, view, look }) {
  const { bold, dim, inverse } = paint(look);
  const { head, rows } = wrapEntry(state, entry, look.columns, look.supportsUnicode ? '—' : '-');
  const pointer = isFound ? bold(look.supportsUnicode ? '▸' : '>') : ' ';
  const colour = (/** @type {string} */ text) => paintEntry(entry, paint(look), text);
  const start = placeOf(view.search, rows.join(''));
  const end = start + (start === -1 ? 0 : view.search.length);
  let offset = 0;
  return rows.map((row, index) => {
    const before = index === 0 ? pointer + dim(head) : ' '.repeat(1 + widthOf(head));
    const [from, to] = [start, end].map((place) => Math.max(0, place - offset));
    offset += row.length;
    const match = inverse(colour(row.slice(from, to)));
    return before + colour(row.slice(0, from)) + match + colour(row.slice(to));
  });
}
