/** `ls`: every app in bold, and under it its workers; an app with one worker is one row. */
import { renderColumns } from './columns.js';
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';
import { briefReason } from '../state.js';
import { factColumns, figureColumns } from './worker-columns.js';

/** @import { Terminal } from '../palette.js' */

/**
 * @typedef {object} Worker
 * @property {number | null} id
 * @property {number | null} slot
 * @property {number | null} pid
 * @property {string} status
 * @property {number | null} cpu percent of one core
 * @property {number | null} memory bytes of RSS
 * @property {number | null} uptimeMs
 * @property {number | null} restarts
 * @property {number | null} generation
 * @property {string | null} [reason] why it is not online
 * @property {number | null} [retryInMs] when it is started again
 * @property {number | null} [blockedMs] how long its event loop has been blocked
 * @property {number | null} [elu] utilisation of its event loop, 0 to 1
 * @property {{p50: number, p99: number} | null} [eventLoopDelayMs]
 * @property {number | null} [heapUsed] bytes
 * @property {number | null} [connections]
 * @property {number | null} [requestsPerSecond]
 * @property {number | null} [errorsPerSecond]
 * @property {{p50: number, p99: number} | null} [latencyMs]
 */
/**
 * @typedef {object} App
 * @property {string} name
 * @property {string} namespace
 * @property {string} status
 * @property {string} mode
 * @property {Worker[]} workers
 * @property {number} [generation]
 * @property {number} [restarts]
 * @property {string | null} [busy] the command that works on it
 * @property {number} [logDroppedBytes] what did not reach its log files
 * @property {string | null} [note] something about the app that the reader should know
 */
/**
 * @typedef {Worker & {app: App, kind: 'app' | 'worker' | 'single' | 'alone'}} Row single: an app
 *   that has one worker; alone: a worker without its app above it
 */

/** What an empty list says. */
export const NOTHING_RUNS = 'No apps are running here. Start one: nodecluster start app.js -i max';

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @returns {string}
 */
export function renderTable(apps, terminal) {
  if (apps.length === 0) return NOTHING_RUNS;
  const rows = apps.flatMap(rowsOf);
  const columns = [...factColumns(apps, terminal), ...figureColumns(apps)];
  return renderColumns(
    columns.filter(({ isKnown = true }) => isKnown),
    rows,
    terminal,
  );
}

/**
 * @param {App} app
 * @param {Terminal} terminal
 * @returns {string} its workers alone, without what they measure of themselves
 */
export function renderWorkers(app, terminal) {
  const rows = rowsOf(app).filter(({ kind }) => kind !== 'app');
  const columns = [...factColumns([], terminal), ...figureColumns([])];
  return renderColumns(
    columns.filter(({ heading, isKnown = true }) => isKnown && heading !== 'mode'),
    rows.map((row) => ({ ...row, kind: 'alone' })),
    terminal,
  );
}

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @returns {string[]} what the table has no room for: reasons that are longer than a word, and
 *   where there is more
 */
export function renderNotes(apps, terminal) {
  const { dim } = paint(terminal);
  const lines = apps.flatMap((app) => [
    ...(app.note ? [`${maskLine(app.name)}: ${maskLine(app.note)}`] : []),
    ...reasonsOf(app).map((line) => dim(line)),
  ]);
  const failing = apps.filter(({ workers }) => workers.some(({ status }) => isTrouble(status)));
  if (failing.length === 0) return lines;
  const names = failing.length === 1 ? maskLine(failing[0].name) : '<app>';
  return [...lines, dim(`\`nodecluster describe ${names}\` shows what was said last.`)];
}

/** @param {string} status */
function isTrouble(status) {
  return status === 'backoff' || status === 'errored';
}

/**
 * @param {App} app
 * @returns {string[]} why workers are not online, where their state has no room for it; what several
 *   have in common is said once
 */
export function reasonsOf({ name, workers }) {
  /** @type {Map<string, string[]>} */
  const slots = new Map();
  for (const { slot, status, reason } of workers) {
    const isTold = !reason || reason.length <= 24 || briefReason(reason) === 'SIGKILL';
    if (isTold || status === 'unresponsive' || status === 'online') continue;
    slots.set(reason, [...(slots.get(reason) ?? []), `${maskLine(name)}:${slot}`]);
  }
  return [...slots].map(([reason, names]) => `${names.join(', ')} ${maskLine(reason)}`);
}

/**
 * @param {App} app
 * @returns {Row[]}
 */
function rowsOf(app) {
  const sums = { cpu: sumOf(app, 'cpu'), memory: sumOf(app, 'memory') };
  const nobody = { id: null, slot: null, pid: null, uptimeMs: null, generation: null };
  const { status, restarts = sumOf(app, 'restarts') } = app;
  const served = { requestsPerSecond: sumOf(app, 'requestsPerSecond') };
  const head = { ...nobody, ...sums, ...served, status, restarts, app };
  if (app.workers.length === 0) return [{ ...head, kind: 'single' }];
  if (app.workers.length === 1) return [{ ...app.workers[0], app, kind: 'single' }];
  const workers = app.workers.map((worker) => ({
    ...worker,
    app,
    kind: /** @type {const} */ ('worker'),
  }));
  return [{ ...head, kind: 'app' }, ...workers];
}

/**
 * @param {App} app
 * @param {'cpu' | 'memory' | 'restarts' | 'requestsPerSecond'} key
 * @returns {number | null} null where no worker knows it
 */
function sumOf({ workers }, key) {
  const known = workers.map((worker) => worker[key]).filter((value) => typeof value === 'number');
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null;
}
