/** The screen of `monit` as lines: head, table or page, log, foot. Pure. */
import { cell, truncate, widthOf } from '../../show/terminal/cells.js';
import { withoutColours } from '../../shared/colours.js';
import { colourReset, escapeLine } from '../../show/escape.js';
import { paint, wrapWords } from '../../show/terminal/palette.js';
import { drawLog, firstLogView } from './log.js';
import { FIXED_ROWS, logHeight, pageHeight, selectedRow, tableHeight, worstRow } from './state.js';
import { drawTable } from './table.js';
import { SILENT_MS } from '../../api/feed.js';
import { paintTone } from '../../show/paint.js';
import { reasonOf } from '../../show/help.js';
import { emptyText } from '../../show/rows.js';
import { formatAge, formatCount } from '../../show/quantity.js';
import { labels } from './keys.js';

/**
 * @import { State } from './state.js'
 * @import { Look } from './table.js'
 */

/** Of the screen, of a message that is longer than a line. */
const MESSAGE_SHARE = 1 / 3;

/**
 * @param {State} state
 * @param {Omit<Look, 'now'> & {rows: number}} terminal
 * @param {number} now epoch ms
 * @returns {string[]} one for each row of the terminal, none wider than it
 */
export function layout(state, terminal, now) {
  const look = { ...terminal, now };
  const { lines, place = '' } = drawMiddle(state, look);
  const foot = drawFoot(state, look);
  const above = [drawHead(state, look, place), ...lines].slice(0, look.rows - foot.length);
  return [...above, ...foot];
}

/** @param {State} state @param {Look & {rows: number}} look @returns {Body} */
function drawMiddle(state, look) {
  const { rows } = look;
  if (rows < FIXED_ROWS + 2) return drawBody(state, look, rows - 2);
  const { view } = state;
  if (view.kind === 'page') return { lines: drawPage(view, look) };
  if (view.kind === 'log') {
    const height = logHeight(rows);
    return { lines: padLines(drawLog(state, view, height, look), height + 1) };
  }
  const room = rows - FIXED_ROWS;
  const taken = Math.min(Math.max(1, state.shown.length), tableHeight(rows));
  const { lines, place } = drawBody(state, look, taken + 1);
  const reason = drawReason(state, look, lines.join('\n')).slice(0, (room - taken) / 2);
  const height = room - taken - reason.length;
  const pane = padLines(drawLog(state, firstLogView, height, look), height + 1);
  return { lines: [...lines, ...pane, ...reason], place };
}

/** Below the log, which may end with a stack: why the selected one does not run. @param {State} state @param {Look} look @param {string} shown what the table says */
function drawReason(state, look, shown) {
  const row = selectedRow(state);
  const worker = row && worstRow(row, look.now).worker;
  const reason = worker ? reasonOf(worker, look.now) : '';
  if (shown.includes(reason)) return [];
  return wrapWords(reason, look.columns - 1).map((line) => ` ${paint(look).red(line)}`);
}

/** @typedef {{lines: string[], place?: string}} Body place: which rows of the table these are; '' if these are all */

/** @param {State} state @param {Look} look @param {number} height with the headings @returns {Body} */
function drawBody(state, look, height) {
  if (height < 1) return { lines: [] };
  if (state.shown.length === 0) {
    const text = `  ${emptyText(state.apps, state.filter)}`;
    return { lines: padLines([truncate(text, look.columns)], height) };
  }
  const table = drawTable(state, height - 1, look);
  return { lines: padLines([table.heading, ...table.lines], height), place: table.place };
}

/** @param {Extract<State['view'], {kind: 'page'}>} view @param {Look & {rows: number}} look */
function drawPage({ lines, top }, look) {
  const height = pageHeight(look.rows);
  // Since the user scrolled, the page may have become shorter or the terminal taller.
  const from = Math.min(top, Math.max(0, lines.length - height));
  const shown = lines.slice(from, from + height);
  const below = lines.length - from - shown.length;
  const page = padLines(shown, height);
  if (below > 0) {
    page[height - 1] = paint(look).dim(cell(`  ${below + 1} more lines ↓`, look.columns));
  }
  return page.map((line) => {
    if (widthOf(line) > look.columns) return truncate(withoutColours(line), look.columns);
    return line.includes('\u001b') ? line + colourReset : line;
  });
}

/** @param {string[]} lines @param {number} height */
function padLines(lines, height) {
  return [...lines, ...Array(Math.max(0, height - lines.length)).fill('')].slice(0, height);
}

/** @param {State} state @param {Look} look @param {string} place which rows are shown; '' if all are */
function drawHead({ daemon, changedAt, framedAt, apps, statuses }, look, place) {
  const { bold, dim, red } = paint(look);
  const silentMs = look.now - framedAt;
  let problem = silentMs >= SILENT_MS ? `daemon silent for ${formatAge(silentMs)}` : '';
  if (!daemon) problem = `no daemon for ${formatAge(look.now - changedAt)}, reconnecting`;
  const total = statuses.reduce((sum, { count }) => sum + count, 0);
  const isOne = statuses.length === 1;
  const states = statuses.map(({ status, count, tone }, index) => {
    const state = paintTone(tone, paint(look), isOne ? status : `${count} ${status}`);
    return index === 0 ? `${formatCount(total, 'worker')}${isOne ? '' : ':'} ${state}` : state;
  });
  const room = look.columns - 2;
  const right = truncate(problem || place, room);
  const line = firstOf(
    [bold(formatCount(apps.length, 'app')), ...states],
    room - widthOf(right) - 2,
  );
  const gap = right && ' '.repeat(Math.max(0, room - widthOf(line) - widthOf(right)));
  return ` ${line}${gap}${problem ? red(right) : dim(right)}`;
}

/** A message in full, since it may have a command to copy. @param {State} state @param {Look & {rows: number}} look */
function drawFoot(state, look) {
  const { view, message } = state;
  if (!message || !['table', 'log'].includes(view.kind)) return [drawLastLine(state, look)];
  const { green, red } = paint(look);
  const colour = { plain: String, good: green, bad: red }[message.tone];
  const most = Math.max(1, Math.floor(look.rows * MESSAGE_SHARE));
  const room = look.columns - 1;
  const shown = wrapWords(escapeLine(message.text), room).slice(0, most);
  return shown.map((row) => ` ${colour(row)}`);
}

/** A confirmation, the filter, or the keys. @param {State} state @param {Look} look */
function drawLastLine({ view, filter }, look) {
  const { bold, yellow } = paint(look);
  const room = look.columns - 1;
  if (view.kind === 'confirmation') {
    const { title, text } = view.confirmation;
    const answers = '  y / n';
    const rest = room - answers.length - 1;
    return rest < 1 ? '' : ` ${yellow(truncate(`${title} ${text}`, rest))}${bold(answers)}`;
  }
  if (view.kind === 'filter') {
    return ` ${bold(truncate(`filter: ${escapeLine(filter)}_`, room))}`;
  }
  if (view.kind === 'page') return drawKeys(labels.page, room, look);
  if (view.kind === 'log') return drawKeys(labels.log, room, look);
  if (filter === '') return drawKeys(labels.table, room, look);
  const only = yellow(truncate(`only ${escapeLine(filter)}`, 20));
  return drawKeys([['Esc', 'all'], ...labels.table], room, look, only);
}

/**
 * Narrow terminals show only the first ones.
 * @param {[key: string, label: string][]} keys
 * @param {number} room
 * @param {Look} look
 * @param {string} [before]
 */
function drawKeys(keys, room, look, before = '') {
  const { bold, dim } = paint(look);
  const parts = keys.map(([key, meaning]) => `${bold(key)} ${dim(meaning)}`);
  return ` ${firstOf(before ? [before, ...parts] : parts, room - 1)}`;
}

/** @param {string[]} parts @param {number} room @returns {string} as many as fit */
function firstOf(parts, room) {
  let line = '';
  for (const part of parts) {
    const longer = line ? `${line}  ${part}` : part;
    if (widthOf(longer) > room) return line;
    line = longer;
  }
  return line;
}
