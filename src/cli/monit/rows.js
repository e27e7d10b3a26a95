/** The rows of the table: every app, and under it its workers; an app with one worker is one row. */
import { workerState } from '../render/state.js';

/** @import { App, Worker } from '../render/table/ls.js' */

/**
 * @typedef {object} Row
 * @property {string} key `api` or `api:1`
 * @property {'app' | 'worker' | 'single'} kind
 * @property {App} app
 * @property {Worker | null} worker null: the row of an app with several workers, or none
 * @property {Figures} figures
 *
 * @typedef {Pick<Worker, 'cpu' | 'memory' | 'elu' | 'eventLoopDelayMs' | 'heapUsed' |
 *   'connections' | 'requestsPerSecond' | 'errorsPerSecond' | 'latencyMs' | 'restarts'>} Figures
 */

/**
 * @param {App[]} apps
 * @returns {Row[]}
 */
export function rowsOf(apps) {
  return apps.flatMap(rowsOfOne);
}

/**
 * @param {App} app
 * @returns {Row[]}
 */
function rowsOfOne(app) {
  const { name: key, workers } = app;
  const [worker = null] = workers;
  if (workers.length < 2) {
    return [{ key, kind: 'single', app, worker, figures: worker ?? figuresOf(app) }];
  }
  return [
    { key, kind: 'app', app, worker: null, figures: figuresOf(app) },
    ...workers.map((each) => rowOfWorker(app, each)),
  ];
}

/**
 * @param {App} app
 * @param {Worker} worker
 * @returns {Row}
 */
function rowOfWorker(app, worker) {
  return { key: `${app.name}:${worker.slot}`, kind: 'worker', app, worker, figures: worker };
}

/**
 * @param {Row[]} rows
 * @param {{filter: string, folded: ReadonlySet<string>}} view filter: part of the name of an app,
 *   of a worker, or of what it is doing
 * @returns {Row[]} an app is shown where one of its workers is
 */
export function visibleRows(rows, { filter, folded }) {
  const matching = filter === '' ? rows : matchingRows(rows, filter.toLowerCase());
  return matching.filter(({ kind, app }) => kind !== 'worker' || !folded.has(app.name));
}

/**
 * @param {Row[]} rows
 * @param {string} text
 */
function matchingRows(rows, text) {
  const matches = (/** @type {Row} */ { key, worker }) =>
    key.toLowerCase().includes(text) ||
    (worker !== null && workerState(worker).toLowerCase().includes(text));
  const found = new Set(rows.filter(matches));
  const apps = new Set([...found].map(({ app }) => app));
  return rows.filter((row) => found.has(row) || (row.kind === 'app' && apps.has(row.app)));
}

/**
 * @param {App} app
 * @returns {Figures} sums, and of what cannot be added the worst
 */
function figuresOf({ workers }) {
  const known = (/** @type {(worker: Worker) => number | null | undefined} */ pick) =>
    workers.map(pick).filter((value) => typeof value === 'number');
  const sum = (/** @type {(worker: Worker) => number | null | undefined} */ pick) => {
    const values = known(pick);
    return values.length ? values.reduce((total, value) => total + value, 0) : null;
  };
  const worst = (/** @type {(worker: Worker) => number | null | undefined} */ pick) => {
    const values = known(pick);
    return values.length ? Math.max(...values) : null;
  };
  const pair = (/** @type {'eventLoopDelayMs' | 'latencyMs'} */ key) => {
    const [p50, p99] = [worst((each) => each[key]?.p50), worst((each) => each[key]?.p99)];
    return p50 === null || p99 === null ? null : { p50, p99 };
  };
  return {
    cpu: sum(({ cpu }) => cpu),
    memory: sum(({ memory }) => memory),
    elu: worst(({ elu }) => elu),
    eventLoopDelayMs: pair('eventLoopDelayMs'),
    heapUsed: sum(({ heapUsed }) => heapUsed),
    connections: sum(({ connections }) => connections),
    requestsPerSecond: sum(({ requestsPerSecond }) => requestsPerSecond),
    errorsPerSecond: sum(({ errorsPerSecond }) => errorsPerSecond),
    latencyMs: pair('latencyMs'),
    restarts: sum(({ restarts }) => restarts),
  };
}
