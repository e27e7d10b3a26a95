/** `ls`: every app in bold, and under it its workers; an app with one worker is one row. */
import { cut } from './cells.js';
import { renderColumns } from './columns.js';
import { maskLine } from './mask.js';
import { paint, paintStatus } from './palette.js';
import { brevity, cpu, megabytes, memory, rate, share, uptime } from './quantity.js';
import { appState, briefReason, singleState, workerState } from './state.js';

/**
 * @typedef {import('./palette.js').Terminal} Terminal
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
 * @property {number} [logBytesDropped] what did not reach its log files
 * @property {string | null} [note] something about the app that the reader should know
 */
/** @typedef {Worker & {app: App, kind: 'app' | 'worker' | 'single'}} Row */

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
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @returns {string[]} what the table has no room for: reasons that are longer than a word, and
 *   where there is more
 */
export function renderNotes(apps, terminal) {
  const { dim } = paint(terminal);
  const lines = apps.flatMap((app) => [
    ...(app.note ? [`${maskLine(app.name)}: ${maskLine(app.note)}`] : []),
    ...(app.logBytesDropped ? [`${maskLine(app.name)}: ${lostText(app.logBytesDropped)}`] : []),
    ...reasonsOf(app).map((line) => dim(line)),
  ]);
  const failing = apps.filter(({ workers }) => workers.some(({ status }) => isTrouble(status)));
  if (failing.length === 0) return lines;
  const names = failing.length === 1 ? maskLine(failing[0].name) : '<app>';
  return [...lines, dim(`\`nodecluster describe ${names}\` shows what was said last.`)];
}

/** @param {number} bytes */
function lostText(bytes) {
  return `${megabytes(bytes)} of its output could not be written to its log files.`;
}

/** @param {string} status */
function isTrouble(status) {
  return status === 'backoff' || status === 'errored';
}

/**
 * @param {App} app
 * @returns {string[]} what several workers have in common is said once
 */
function reasonsOf({ name, workers }) {
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

/** @typedef {import('./columns.js').Column & {isKnown?: boolean}} KnownColumn */

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @returns {KnownColumn[]}
 */
function factColumns(apps, terminal) {
  const { bold } = paint(terminal);
  return [
    {
      heading: 'id',
      importance: Infinity,
      align: 'right',
      text: (row) => ofWorker(row, figure(row.id)),
    },
    {
      ...{ heading: 'name', importance: Infinity, least: 9, text: nameOf, shorten: shortenName },
      dress: (text, { kind }) => (kind === 'worker' ? text : bold(text)),
    },
    {
      ...{ heading: 'namespace', importance: 2, text: ({ app }) => maskLine(app.namespace) },
      isKnown: apps.some((app) => app.namespace !== 'default'),
    },
    {
      heading: 'mode',
      importance: 1,
      text: (row) => (row.kind === 'worker' ? '' : maskLine(row.app.mode)),
    },
    {
      ...{ heading: 'status', importance: Infinity, least: 19, text: stateOf },
      dress: (text, { status }) => paintStatus(status, terminal, text),
    },
  ];
}

/**
 * @param {App[]} apps
 * @returns {KnownColumn[]}
 */
function figureColumns(apps) {
  const align = /** @type {const} */ ('right');
  const knows = (/** @type {keyof Worker} */ key) =>
    apps.some(({ workers }) => workers.some((worker) => typeof worker[key] === 'number'));
  return [
    { heading: 'cpu', importance: 9, align, text: (row) => cpu(row.cpu) },
    { heading: 'memory', importance: 8, align, text: (row) => memory(row.memory) },
    {
      heading: 'loop',
      importance: 4,
      align,
      text: (row) => ofWorker(row, share(row.elu)),
      isKnown: knows('elu'),
    },
    {
      ...{ heading: 'delay', importance: 3, align, isKnown: knows('elu') },
      text: (row) => ofWorker(row, brevity(row.eventLoopDelayMs?.p99)),
    },
    {
      ...{ heading: 'req/s', importance: 5, align, isKnown: knows('requestsPerSecond') },
      text: (row) => rate(row.requestsPerSecond),
    },
    {
      ...{ heading: 'p99', importance: 3.5, align, isKnown: knows('requestsPerSecond') },
      text: (row) => ofWorker(row, brevity(row.latencyMs?.p99)),
    },
    { heading: 'uptime', importance: 6, align, text: (row) => ofWorker(row, uptime(row.uptimeMs)) },
    { heading: 'restarts', importance: 7, align, text: (row) => figure(row.restarts) },
    { heading: 'pid', importance: 4.5, align, text: (row) => ofWorker(row, figure(row.pid)) },
  ];
}

/** @param {Row} row */
function nameOf({ app, slot, kind }) {
  return kind === 'worker' ? `  ${maskLine(app.name)}:${slot}` : maskLine(app.name);
}

/**
 * @param {string} text
 * @param {number} width
 * @returns {string} its slot is kept
 */
function shortenName(text, width) {
  const slot = /:\d+$/.exec(text)?.[0] ?? '';
  return cut(text.slice(0, text.length - slot.length), width - slot.length) + slot;
}

/** @param {Row} row */
function stateOf(row) {
  if (row.kind === 'single') return singleState(row.app);
  return row.kind === 'app' ? appState(row.app) : workerState(row);
}

/**
 * @param {Row} row
 * @param {string} text
 * @returns {string} nothing where several workers have different ones
 */
function ofWorker({ kind }, text) {
  return kind === 'app' ? '' : text;
}

/** @param {number | null | undefined} value */
function figure(value) {
  return value === null || value === undefined ? '-' : String(value);
}
