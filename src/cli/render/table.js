/** `ls`: one row a worker. */
import { renderColumns } from './columns.js';
import { maskLine } from './mask.js';
import { paint, paintStatus } from './palette.js';
import { cpu, memory, uptime } from './quantity.js';

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
 * @property {number | null} [blockedMs] how long its event loop has been blocked
 */
/**
 * @typedef {object} App
 * @property {string} name
 * @property {string} namespace
 * @property {string} status
 * @property {string} mode
 * @property {Worker[]} workers
 * @property {string | null} [note] something about the app that the reader should know
 */

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @returns {string}
 */
export function renderTable(apps, terminal) {
  if (apps.length === 0) {
    return 'No apps are running here. Start one: nodecluster start app.js -i max';
  }
  const rows = apps.flatMap((app) => rowsOf(app));
  const namespaced = apps.some((app) => app.namespace !== 'default');
  const columns = workerColumns(terminal).filter(
    (column) => namespaced || column.heading !== 'namespace',
  );
  return renderColumns(columns, rows, terminal);
}

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @returns {string[]} what the table has no room for: why a worker is not online
 */
export function renderNotes(apps, terminal) {
  const dim = paint(terminal).dim;
  return apps.flatMap((app) => [
    ...(app.note ? [`${maskLine(app.name)}: ${maskLine(app.note)}`] : []),
    ...app.workers
      .filter(({ reason }) => reason)
      .map(({ slot, status, reason }) =>
        dim(`${maskLine(app.name)}:${slot} ${stateText(status)} ${maskLine(reason)}`),
      ),
  ]);
}

/** Whose reason is their own; that of all others is how the worker before them ended. */
const ownReason = new Set(['errored', 'exited', 'stopped', 'unresponsive']);

/** @param {string} status */
function stateText(status) {
  if (ownReason.has(status)) return `is ${status}:`;
  return `is ${status === 'backoff' ? 'in backoff' : status}; last ended:`;
}

/**
 * @param {App} app
 * @returns {(Worker & {app: App})[]} an app without workers has a row of its own all the same
 */
function rowsOf(app) {
  const nobody = { id: null, slot: null, pid: null, cpu: null, memory: null, uptimeMs: null };
  const workers = app.workers.length
    ? app.workers
    : [{ ...nobody, restarts: null, generation: null, status: app.status }];
  return workers.map((worker) => ({ ...worker, app }));
}

/**
 * @param {Terminal} terminal
 * @returns {import('./columns.js').Column[]}
 */
function workerColumns(terminal) {
  const right = /** @type {const} */ ('right');
  return [
    { heading: 'id', importance: Infinity, align: right, text: (row) => figure(row.id) },
    {
      ...{ heading: 'name', importance: Infinity, elastic: true },
      text: (row) => maskLine(row.app.name),
    },
    { heading: 'namespace', importance: 2, text: (row) => maskLine(row.app.namespace) },
    { heading: 'mode', importance: 1, text: (row) => maskLine(row.app.mode) },
    { heading: 'pid', importance: 7, align: right, text: (row) => figure(row.pid) },
    {
      ...{ heading: 'status', importance: Infinity },
      text: statusText,
      dress: (text, row) => paintStatus(row.status, terminal, text),
    },
    { heading: 'uptime', importance: 4, align: right, text: (row) => uptime(row.uptimeMs) },
    { heading: 'restarts', importance: 3, align: right, text: (row) => figure(row.restarts) },
    { heading: 'cpu', importance: 5, align: right, text: (row) => cpu(row.cpu) },
    { heading: 'memory', importance: 6, align: right, text: (row) => memory(row.memory) },
  ];
}

/** @param {Worker} worker */
function statusText({ status, blockedMs }) {
  const forHowLong = typeof blockedMs === 'number' ? ` ${uptime(blockedMs)}` : '';
  return maskLine(status) + forHowLong;
}

/** @param {number | null | undefined} value */
function figure(value) {
  return value === null || value === undefined ? '-' : String(value);
}
