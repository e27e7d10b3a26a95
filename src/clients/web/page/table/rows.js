/** The rows of the table: each app with its workers below it; an app with one worker is one row. */

/** @import { App, Worker } from '../state/model.js' */

/**
 * @typedef {object} Row
 * @property {string} key `api` or `api:1`
 * @property {'app' | 'worker' | 'single'} kind single: an app with one worker, or none
 * @property {App} app
 * @property {Worker[]} workers all workers of the app
 * @property {Worker | null} worker null: the row is about the app
 * @property {string} status
 */

/** @type {WeakMap<App, Row[]>} */
const rowsByApp = new WeakMap();

/**
 * @param {App} app
 * @returns {Row[]} the same rows for the same app: a row that did not change is not drawn again
 */
export function rowsOfApp(app) {
  const known = rowsByApp.get(app);
  if (known) return known;
  const rows = makeRows(app);
  rowsByApp.set(app, rows);
  return rows;
}

/**
 * @param {App} app
 * @returns {Worker[]} by slot
 */
export function workersOf({ workers }) {
  return Object.values(workers ?? {}).sort((one, other) => one.slot - other.slot);
}

/**
 * @param {Row} row
 * @returns {string} what it is doing and what is wrong, as `ls` says it
 */
export function stateText({ kind, app, worker }) {
  return kind === 'worker' && worker ? worker.state : app.state;
}

/**
 * @param {Row[]} rows
 * @param {{filter: string, folded: ReadonlySet<string>}} view filter: part of an app's name, of a
 *   worker's name or of its state
 * @returns {Row[]} an app is shown when one of its workers is
 */
export function visibleRows(rows, { filter, folded }) {
  const matching = filter === '' ? rows : matchingRows(rows, filter.toLowerCase());
  return matching.filter(({ kind, app }) => kind !== 'worker' || !folded.has(app.name));
}

/** @param {App} app @returns {Row[]} */
function makeRows(app) {
  const workers = workersOf(app);
  const { name: key } = app;
  if (workers.length <= 1) {
    const [worker = null] = workers;
    return [{ key, kind: 'single', app, workers, worker, status: worker?.status ?? app.status }];
  }
  return [
    { key, kind: 'app', app, workers, worker: null, status: app.status },
    ...workers.map((worker) => ({
      key: `${key}:${worker.slot}`,
      kind: /** @type {const} */ ('worker'),
      app,
      workers,
      worker,
      status: worker.status,
    })),
  ];
}

/** @param {Row[]} rows @param {string} text */
function matchingRows(rows, text) {
  const matches = (/** @type {Row} */ row) =>
    row.key.toLowerCase().includes(text) ||
    (row.worker !== null && stateText(row).toLowerCase().includes(text));
  const found = new Set(rows.filter(matches));
  const apps = new Set([...found].map(({ app }) => app));
  return rows.filter((row) => found.has(row) || (row.kind === 'app' && apps.has(row.app)));
}
