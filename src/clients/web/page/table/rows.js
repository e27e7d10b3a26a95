/** The rows of the table: those of `ls`. */
import { rowsOf } from '../../../../show/rows.js';

/**
 * @import { RowOf } from '../../../../show/rows.js'
 * @import { App, Worker } from '../state/model.js'
 */

/** @typedef {RowOf<App, Worker>} Row */

/** @type {WeakMap<App, Row[]>} */
const rowsByApp = new WeakMap();

/**
 * @param {App} app
 * @returns {Row[]} the same rows for the same app: a row that did not change is not drawn again
 */
export function rowsOfApp(app) {
  const rows = rowsByApp.get(app) ?? rowsOf(app, workersOf(app));
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
