/** The rows of a table: each app with its workers below it; an app with one worker is one row. */

import { figuresOf } from '../../../api/streams/figures.js';

/**
 * @import { Figures } from '../../../api/streams/figures.js'
 * @import { AppView, WorkerView } from '../../../protocol/shapes.js'
 */

/**
 * @typedef {object} Row
 * @property {string} key `api` or `api:1`
 * @property {'app' | 'worker' | 'single'} kind single: an app with one worker, or none
 * @property {AppView} app
 * @property {WorkerView | null} worker null: the row is about the app
 * @property {Figures} figures
 * @property {boolean} [isNested] shown below the row of its app
 */

/**
 * @param {AppView} app
 * @returns {Row[]}
 */
export function rowsOfApp(app) {
  const { name: key, workers } = app;
  if (workers.length > 1) {
    const nested = rowsOfWorkers(app).map((row) => ({ ...row, isNested: true }));
    return [{ key, kind: 'app', app, worker: null, figures: figuresOf(workers) }, ...nested];
  }
  const [worker = null] = workers;
  return [{ key, kind: 'single', app, worker, figures: worker ?? figuresOf(workers) }];
}

/**
 * @param {AppView} app
 * @returns {Row[]}
 */
export function rowsOfWorkers(app) {
  return app.workers.map((worker) => ({
    key: `${app.name}:${worker.slot}`,
    kind: 'worker',
    app,
    worker,
    figures: worker,
  }));
}

/** @param {Row} row */
export function statusOf({ app, worker }) {
  return worker ? worker.status : app.status;
}
