/** The rows of a table, each app with its workers below it, or an app with its only one; and the figures in them. */
import { STATUS_ORDER } from '../lifecycle/app-status.js';
import { groupBy } from '../shared/groups.js';
import { escapeLine } from './escape.js';
import { shortCauseOf } from './reason.js';
import { isCrashing, stateText, stateTone, statusWord } from './state.js';
import { TONES } from './tone.js';
import { ageOf } from './quantity.js';

/**
 * @import { App, Worker } from '../protocol/shapes.js'
 * @import { Colour } from './paint.js'
 *
 * @typedef {object} BareRow
 * @property {string} key `api` or `api:1`
 * @property {'app' | 'worker' | 'single'} kind single: an app with one worker, or none
 * @property {App} app
 * @property {Worker | null} worker null: the row is about the app
 * @property {boolean} [isNested] shown below the row of its app
 * @property {number} [count] of the workers that it stands for; absent: one
 * @property {true} [isFolded] its workers are hidden
 *
 * @typedef {BareRow & {figures: Figures}} Row
 * @typedef {{status: string, count: number, tone: Colour}} StatusCount
 */

/** @param {App} app @returns {BareRow[]} */
export function rowsOf(app) {
  const { name: key, workers } = app;
  if (workers.length <= 1) return [{ key, kind: 'single', app, worker: workers[0] ?? null }];
  const nested = workers.map((worker) => ({ ...rowOf(app, worker), isNested: true }));
  return [{ key, kind: 'app', app, worker: null }, ...nested];
}

/** @param {App} app @param {number} now epoch ms */
export function appTone(app, now) {
  return stateTone(rowsOf(app)[0], now);
}

/** @param {BareRow} row @param {number} now epoch ms @returns {Row} */
export function withFigures(row, now) {
  const { kind, app, worker } = row;
  // Without those of the workers that it replaces: it is judged by what it does itself.
  const own = kind === 'worker' && worker ? [{ ...worker, beside: undefined }] : app.workers;
  return { ...row, figures: figuresOf(own, now) };
}

/** @param {App} app @param {number} now epoch ms @returns {Row[]} */
export function rowsOfWorkers(app, now) {
  return app.workers.map((worker) => withFigures(rowOf(app, worker), now));
}

/** Workers of an app that is not folded until the user folds it. */
const MAX_UNFOLDED = 16;

/**
 * @param {{folds: ReadonlyMap<string, boolean>, filter: string}} view folds: by the name of an app, whether the user has
 *   folded or unfolded it
 * @param {App} app
 * @returns {boolean} whether its workers are hidden
 */
export function isFolded({ folds, filter }, { name, workers }) {
  return folds.get(name) ?? (filter === '' && workers.length > MAX_UNFOLDED);
}

/**
 * @param {readonly App[]} apps
 * @param {{folds: ReadonlyMap<string, boolean>, filter: string, selected: string | null}} view filter: part of an app's
 *   name, of a worker's name or of its state; selected: key of a row
 * @param {number} now epoch ms
 * @returns {BareRow[]} those that match, and those of their apps; of a folded app its own row, the selected worker, and for
 *   each thing that is wrong one worker of which it is true
 */
export function shownRows(apps, view, now) {
  const { selected } = view;
  const matching = apps.flatMap((app) => matchingRows(rowsOf(app), view.filter, now));
  const groups = groupBy(matching, (row) => {
    const { kind, key, app } = row;
    if (kind !== 'worker' || !isFolded(view, app)) return key;
    return hasProblem(row, now) ? wordsOf(row, now) : key === selected && key;
  });
  groups.delete(false);
  return [...groups.values()].map((group) => {
    const row = group.find(({ key }) => key === selected) ?? group[0];
    if (group.length > 1) return { ...row, count: group.length };
    return row.kind === 'app' && isFolded(view, row.app) ? { ...row, isFolded: true } : row;
  });
}

/** @param {BareRow[]} rows of one app @param {string} filter @param {number} now */
function matchingRows(rows, filter, now) {
  const text = filter.toLowerCase();
  const found = rows.filter(
    (row) =>
      row.key.toLowerCase().includes(text) ||
      (row.worker !== null && stateText(row, now).toLowerCase().includes(text)),
  );
  return found.length > 0 && rows[0].kind === 'app' ? [...new Set([rows[0], ...found])] : found;
}

/** @param {readonly App[]} apps all of them @param {string} [filter] @returns {string} in place of a table without rows */
export function emptyText({ length }, filter = '') {
  if (length > 0) return `Nothing matches ${escapeLine(filter)}`;
  return 'No apps. Start one: nodecluster start app.js -i max';
}

/** @param {BareRow} row @param {number} now epoch ms @returns {boolean} whether it is not as it should be */
export function hasProblem(row, now) {
  return ['warn', 'bad'].includes(stateTone(row, now));
}

/** @param {App} app @param {number} now epoch ms @returns {boolean} of it or one of its workers */
export function isTroubled(app, now) {
  return rowsOf(app).some((row) => hasProblem(row, now));
}

/** @param {readonly App[]} apps @param {number} now epoch ms */
export function worstFirst(apps, now) {
  const ranks = new Map(apps.map((app) => [app, rankOfApp(app, now)]));
  return [...apps].sort((one, other) => Number(ranks.get(one)) - Number(ranks.get(other)));
}

/** @param {App} app @param {number} now epoch ms @returns {number} 0: nothing of it runs, 1: or serves, 2: it is broken, 3: it serves, but not as it should */
function rankOfApp(app, now) {
  // In each phase of a crash loop, or its rows would move with each crash.
  const isBroken = (/** @type {BareRow} */ row) =>
    stateTone(row, now) === 'bad' || (row.worker !== null && isCrashing(row.worker));
  const runs = (/** @type {Worker} */ worker) => worker.status === 'online' && !isCrashing(worker);
  const serves = (/** @type {Worker} */ worker) => runs(worker) && !isBroken(rowOf(app, worker));
  const some = [runs, serves].filter((is) => app.workers.some(is));
  if (rowsOf(app).some(isBroken)) return some.length;
  // What a command does to an app is no trouble.
  return !app.busy && isTroubled(app, now) ? 3 : 4;
}

/** Times and counts differ from worker to worker. @param {BareRow} row of a worker @param {number} now */
export function wordsOf(row, now) {
  // One that fails again and again waits in one moment and starts in the next.
  const state = row.worker?.status === 'backoff' ? 'backoff' : stateText(row, now);
  const words = state.replace(/ *\d+\w?/g, '');
  return `${row.app.name} ${words} ${row.worker && shortCauseOf(row.worker)}`;
}

/** Fewer are shown one by one. */
const MIN_FOLDED = 4;

/** @param {Row[]} rows @param {number} now epoch ms @returns {Row[]} with one row for workers that do not serve for the same reason */
export function foldRows(rows, now) {
  const groups = groupBy(rows, (row) =>
    row.kind === 'worker' && row.worker?.status !== 'online' ? wordsOf(row, now) : row.key,
  );
  return [...groups.values()].flatMap((group) => {
    if (group.length < MIN_FOLDED) return group;
    const workers = group.flatMap(({ worker }) => worker ?? []);
    return { ...group[0], count: group.length, figures: figuresOf(workers, now) };
  });
}

/** @param {App} app @param {Worker} worker @returns {BareRow & {worker: Worker}} */
export function rowOf(app, worker) {
  return { key: `${app.name}:${worker.slot}`, kind: 'worker', app, worker };
}

/**
 * @param {string} action of a key
 * @param {number} index
 * @param {number} length of the list
 * @param {number} page how many rows fit the screen
 * @returns {number} in range; -1 if the list is empty
 */
export function moveIndex(action, index, length, page) {
  const half = Math.max(1, Math.floor(page / 2));
  /** @type {Record<string, number>} */
  const targets = {
    up: index - 1,
    down: index + 1,
    'page-up': index - half,
    'page-down': index + half,
    first: 0,
    last: length - 1,
  };
  return Math.min(Math.max(0, targets[action] ?? index), length - 1);
}

/** @typedef {Partial<ReturnType<typeof figuresOf>>} Figures of a worker, or of all workers of an app, as far as they are known */

/**
 * @param {Worker[]} all
 * @param {number} now epoch ms
 * @returns sums, and the worst value of what cannot be added; those that are being replaced count as long as they serve
 */
export function figuresOf(all, now) {
  const workers = all.flatMap((worker) => [withBlock(worker, now), ...(worker.beside ?? [])]);
  return {
    cpu: sum(workers.map(({ cpu }) => cpu)),
    memory: sum(workers.map(({ memory }) => memory)),
    elu: maxOf(workers.map(({ elu }) => elu)),
    eventLoopDelayMs: worstOf(workers.map(({ eventLoopDelayMs }) => eventLoopDelayMs)),
    heapUsed: sum(workers.map(({ heapUsed }) => heapUsed)),
    connections: sum(workers.map(({ connections }) => connections)),
    requestsPerSecond: sum(workers.map(({ requestsPerSecond }) => requestsPerSecond)),
    latencyMs: worstOf(workers.map(({ latencyMs }) => latencyMs)),
    open: sum(workers.map(openOf)),
    answered: sum(workers.map(({ requests }) => requests?.answered)),
    errors: sum(workers.map(({ requests }) => requests?.errors)),
    restarts: sum(all.map(({ restarts }) => restarts)),
  };
}

/** While its event loop is blocked, a worker reports nothing, and must not look idle. @param {Worker} worker @param {number} now */
function withBlock(worker, now) {
  const ms = ageOf(worker.blockedSince, now);
  return ms === undefined
    ? worker
    : { ...worker, elu: 1, eventLoopDelayMs: { p50: ms, p99: ms, max: ms } };
}

/** A worker that is blocked has counted nothing since. @param {Pick<Worker, 'requests'> & {status?: string}} worker */
function openOf({ status, requests }) {
  return status === 'blocked' ? undefined : requests?.open;
}

/** @param {(number | undefined)[]} values @returns {number | undefined} undefined: none is known */
function sum(values) {
  const known = values.filter((value) => typeof value === 'number');
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined;
}

/** @param {(number | undefined)[]} values */
function maxOf(values) {
  const known = values.filter((value) => typeof value === 'number');
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** @param {Worker['latencyMs'][]} percentiles */
function worstOf(percentiles) {
  const p50 = maxOf(percentiles.map((each) => each?.p50));
  const p99 = maxOf(percentiles.map((each) => each?.p99));
  return p50 === undefined || p99 === undefined ? undefined : { p50, p99 };
}

/** @param {BareRow[]} rows @param {number} now epoch ms @returns {StatusCount[]} each in the tone of its worst worker */
export function statusesOf(rows, now) {
  const groups = groupBy(rows, ({ app, worker }) => worker && statusWord(app, worker, now));
  groups.delete(null);
  return [...groups]
    .map(([status, group]) => {
      const tones = group.map((row) => stateTone(row, now));
      const tone = TONES.find((each) => tones.includes(each)) ?? '';
      return { status: String(status), count: group.length, tone };
    })
    .sort((one, other) => rankOf(one) - rankOf(other) || placeOf(one) - placeOf(other));
}

/** @param {StatusCount} named */
const rankOf = ({ tone }) => TONES.findIndex((each) => each === tone);

/** @param {StatusCount} named */
const placeOf = ({ status }) => STATUS_ORDER.findIndex((each) => each === status);
