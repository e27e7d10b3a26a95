/** The first line of `monit`: workers by status, totals, and which rows these are, or what is wrong with the daemon. */
import { SILENT_MS } from '../../api/feed.js';
import { widthOf, truncate } from '../../show/terminal/cells.js';
import { paint } from '../../show/terminal/palette.js';
import { paintTone } from '../../show/paint.js';
import {
  formatAge,
  formatCount,
  formatCpu,
  formatMemory,
  formatRate,
} from '../../show/quantity.js';
import { escapeLine } from '../../show/escape.js';
import { labels } from './keys.js';

/**
 * @import { Worker } from '../../protocol/shapes.js'
 * @import { State } from './state.js'
 * @import { Look } from './table.js'
 * @import { Confirmation } from '../../show/confirmation.js'
 */

/**
 * @param {State} state
 * @param {Look} look
 * @param {number} now epoch ms
 * @param {string} place which rows are shown; '' if all are
 */
export function drawHead(state, look, now, place) {
  const { bold, dim, red } = paint(look);
  const problem = daemonProblem(state, now);
  const important = problem || place;
  const { apps } = state;
  const workers = apps.flatMap((app) => app.workers);
  const parts = [
    bold(formatCount(apps.length, 'app')),
    ...statesOf(state, look),
    ...totalsOf(workers).map((total) => dim(total)),
  ];
  const room = look.columns - 2;
  const line = firstOf(parts, room - (important ? widthOf(important) + 2 : 0));
  const right = problem ? red(problem) : dim(place || 'nodecluster');
  const gap = room - widthOf(line) - widthOf(right);
  if (gap < 2 && !problem) return ` ${line}`;
  return ` ${line}${' '.repeat(Math.max(0, gap))}${right}`;
}

/**
 * @param {State} state
 * @param {number} now epoch ms
 * @returns {string} why the screen may be out of date; '' if it is not
 */
function daemonProblem({ daemon, changedAt, framedAt }, now) {
  if (!daemon) return `no daemon for ${formatAge(now - changedAt)}, reconnecting`;
  return now - framedAt >= SILENT_MS ? `daemon silent for ${formatAge(now - framedAt)}` : '';
}

/** @param {State} state @param {Look} look */
function statesOf({ statuses }, look) {
  const total = statuses.reduce((sum, { count }) => sum + count, 0);
  const isOne = statuses.length === 1;
  return statuses.map(({ status, count, tone }, index) => {
    const state = paintTone(tone, paint(look), isOne ? status : `${count} ${status}`);
    return index === 0 ? `${formatCount(total, 'worker')}${isOne ? '' : ':'} ${state}` : state;
  });
}

/** @param {Worker[]} workers */
function totalsOf(workers) {
  const sum = (/** @type {(worker: Worker) => number | undefined} */ pick) =>
    workers.reduce((total, worker) => total + (pick(worker) ?? 0), 0);
  return [
    `cpu ${formatCpu(sum((worker) => worker.cpu))}`,
    `memory ${formatMemory(sum((worker) => worker.memory))}`,
    `${formatRate(sum((worker) => worker.requestsPerSecond))} req/s`,
  ];
}

/**
 * The last line of `monit`: a confirmation, the filter, a message, or the keys.
 * @param {State} state
 * @param {Look} look
 */
export function drawFoot({ view, filter, message }, look) {
  const { green, red, yellow } = paint(look);
  const room = look.columns - 1;
  if (view.kind === 'confirmation') return drawConfirmation(view.confirmation, look);
  if (view.kind === 'filter') return drawTyping('filter', filter, room, look);
  if (view.kind === 'search') return drawTyping('search', view.text, room, look);
  if (view.kind === 'page') return drawKeys(labels.page, room, look);
  if (message) {
    const colour = { plain: String, good: green, bad: red }[message.tone];
    return ` ${colour(truncate(escapeLine(message.text), room))}`;
  }
  if (view.kind === 'log') {
    const { search, found, place } = view;
    const what = found === null ? 'nothing has' : `${place} lines with`;
    const text = truncate(`${what} ${escapeLine(search)}`, 40);
    return drawKeys(labels.log, room, look, search && (found === null ? red : yellow)(text));
  }
  if (filter === '') return drawKeys(labels.table, room, look);
  const only = yellow(truncate(`only ${escapeLine(filter)}`, 20));
  return drawKeys([['Esc', 'all'], ...labels.table], room, look, only);
}

/** @param {Confirmation} confirmation @param {Look} look */
function drawConfirmation({ title, text }, look) {
  const { bold, yellow } = paint(look);
  const answers = '  y / n';
  const room = look.columns - answers.length - 2;
  return room < 1 ? '' : ` ${yellow(truncate(`${title} ${text}`, room))}${bold(answers)}`;
}

/** @param {string} what @param {string} typed @param {number} room @param {Look} look */
function drawTyping(what, typed, room, look) {
  const { bold, dim } = paint(look);
  const hint = '  Enter applies it, Esc cancels';
  const text = truncate(`${what}: ${escapeLine(typed)}_`, room);
  return ` ${bold(text)}${widthOf(text) + hint.length <= room ? dim(hint) : ''}`;
}

/** Narrow terminals show only the first ones. @param {[key: string, label: string][]} keys @param {number} room @param {Look} look @param {string} [before] */
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
    if (widthOf(longer) > room) break;
    line = longer;
  }
  return line;
}
