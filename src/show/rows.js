/** The rows of a table: each app with its workers below it; an app with one worker is one row. */

import { figuresOf } from './figures.js';

/**
 * @import { App, Worker } from '../protocol/shapes.js'
 * @import { Figures } from './figures.js'
 */

/**
 * @template A, W
 * @typedef {object} RowOf
 * @property {string} key `api` or `api:1`
 * @property {'app' | 'worker' | 'single'} kind single: an app with one worker, or none
 * @property {A} app
 * @property {readonly W[]} workers all workers of the app
 * @property {W | null} worker null: the row is about the app
 * @property {boolean} [isNested] shown below the row of its app
 */

/** @typedef {RowOf<App, Worker> & {figures: Figures}} Row */

/**
 * @template {{name: string}} A
 * @template {{slot: number}} W
 * @param {A} app
 * @param {readonly W[]} workers of the app, by slot
 * @returns {RowOf<A, W>[]}
 */
export function rowsOf(app, workers) {
  const { name: key } = app;
  if (workers.length <= 1)
    return [{ key, kind: 'single', app, workers, worker: workers[0] ?? null }];
  const nested = workers.map((worker) => ({ ...rowOf(app, workers, worker), isNested: true }));
  return [{ key, kind: 'app', app, workers, worker: null }, ...nested];
}

/**
 * @param {App} app
 * @returns {Row[]} with their figures
 */
export function rowsOfApp(app) {
  const { workers } = app;
  return rowsOf(app, workers).map((row) => ({ ...row, figures: row.worker ?? figuresOf(workers) }));
}

/**
 * @param {App} app
 * @returns {Row[]}
 */
export function rowsOfWorkers(app) {
  return app.workers.map((worker) => ({ ...rowOf(app, app.workers, worker), figures: worker }));
}

/** @param {{app: {status: string}, worker: {status: string} | null}} row */
export function statusOf({ app, worker }) {
  return (worker ?? app).status;
}

/**
 * @template {RowOf<{name: string}, unknown>} R
 * @param {R[]} rows
 * @param {{filter: string, folded: ReadonlySet<string>}} view filter: part of an app's name, of a
 *   worker's name or of its state
 * @param {(row: R) => string} stateOf
 * @returns {R[]} an app is shown when one of its workers is
 */
export function visibleRows(rows, { filter, folded }, stateOf) {
  const matching = filter === '' ? rows : matchingRows(rows, filter.toLowerCase(), stateOf);
  return matching.filter(({ kind, app }) => kind !== 'worker' || !folded.has(app.name));
}

/**
 * @template {RowOf<{name: string}, unknown>} R
 * @param {R[]} rows
 * @param {string} text
 * @param {(row: R) => string} stateOf
 */
function matchingRows(rows, text, stateOf) {
  const matches = (/** @type {R} */ row) =>
    row.key.toLowerCase().includes(text) ||
    (row.worker !== null && stateOf(row).toLowerCase().includes(text));
  const found = new Set(rows.filter(matches));
  const apps = new Set([...found].map(({ app }) => app));
  return rows.filter((row) => found.has(row) || (row.kind === 'app' && apps.has(row.app)));
}

/**
 * @template {{name: string}} A
 * @template {{slot: number}} W
 * @param {A} app
 * @param {readonly W[]} workers
 * @param {W} worker
 * @returns {RowOf<A, W>}
 */
function rowOf(app, workers, worker) {
  return { key: `${app.name}:${worker.slot}`, kind: 'worker', app, workers, worker };
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
