/** The columns of all tables, from left to right: what each shows, in which tables it is, and when it gives way there. */
import { portsText } from './addresses.js';
import { escapeLine } from './escape.js';
import {
  ageOf,
  formatAge,
  formatCpu,
  formatInteger,
  formatLatency,
  formatMemory,
  formatRate,
  formatShare,
} from './quantity.js';
import { stateText, stateTone, statusWord } from './state.js';
import { toneFrom } from './tone.js';

/**
 * @import { App, Worker } from '../protocol/shapes.js'
 * @import { Colour } from './paint.js'
 * @import { Row } from './rows.js'
 */

/**
 * @typedef {'ls' | 'workers' | 'monit' | 'page'} TableName workers: of `describe`; page: in the browser
 *
 * @typedef {object} Shown
 * @property {Partial<Record<TableName, number>>} in the tables that have it, each with its priority there: if there is no
 *   room, the column with the lowest is dropped first; Infinity: never dropped. On the page: from which width on it is shown, in pixels
 * @property {number} width in characters, in `monit` and on the page, where it stays the same from second to second
 * @property {number} [minWidth] in the other tables: to which its text may be truncated; absent: it is never truncated
 * @property {true} [yields] it is dropped before any other text is truncated
 * @property {true} [isText] it is aligned to the left
 * @property {(row: Row, now: number) => string} text now: epoch ms
 * @property {(row: Row, now: number) => Colour} [tone]
 * @property {string} [meaning] for the help
 * @property {(app: App) => boolean} [isNeeded] whether it is shown because of this app; absent: always
 * @property {true} [isOfWorker] `ls` leaves it empty in the row of an app; `monit` shows the value of its worst worker
 * @property {Curve} [curve] of the last seconds, beside it
 *
 * @typedef {object} Curve
 * @property {'cpu' | 'memory'} figure
 * @property {number} minHigh its scale is from 0 to the highest value, and at least this
 * @property {number} priority in `monit`
 * @property {number} width at most, in `monit`
 *
 * @typedef {Shown & {heading: string, priority: number, align: 'left' | 'right'}} Column
 */

/** By heading. @type {Record<string, Shown>} */
const COLUMNS = {
  id: {
    in: { ls: Infinity, workers: Infinity },
    width: 3,
    text: (row) => (isMany(row) ? '' : formatInteger(row.worker?.id)),
  },
  name: {
    in: { ls: Infinity, workers: Infinity, monit: Infinity },
    width: 20,
    minWidth: 20,
    isText: true,
    text: ({ key, isNested }) => `${isNested ? '  ' : ''}${escapeLine(key)}`,
  },
  namespace: {
    in: { ls: 2 },
    width: 9,
    isText: true,
    text: ({ app }) => escapeLine(app.namespace),
    isNeeded: ({ namespace }) => namespace !== 'default',
  },
  user: {
    in: { ls: 2.5 },
    width: 10,
    isText: true,
    text: ({ kind, app }) => (kind === 'worker' ? '' : escapeLine(app.user ?? '')),
    isNeeded: ({ user }) => user !== undefined,
  },
  mode: {
    in: { ls: 1 },
    width: 7,
    yields: true,
    isText: true,
    text: ({ kind, app }) => (kind === 'worker' ? '' : escapeLine(app.mode)),
  },
  status: {
    in: { ls: Infinity, workers: Infinity, monit: 99 },
    width: 28,
    minWidth: 28,
    isText: true,
    text: stateText,
    tone: stateTone,
  },
  port: {
    in: { ls: 7.2, monit: 96, page: 1180 },
    width: 5,
    minWidth: 9,
    text: portText,
    isNeeded: ({ workers }) => workers.some(({ listening }) => listening.length > 0),
  },
  cpu: {
    in: { ls: 9, workers: 9, monit: 90, page: 760 },
    width: 6,
    text: ({ figures }) => formatCpu(figures.cpu),
    tone: ({ figures, kind, app }) =>
      toneFrom(figures.cpu, 90 * (kind === 'app' ? app.workers.length : 1), Infinity),
    meaning: 'percent of one core',
    curve: { figure: 'cpu', minHigh: 20, priority: 50, width: 24 },
  },
  memory: {
    in: { ls: 8, workers: 8, monit: 88, page: 0 },
    width: 6,
    text: ({ figures }) => formatMemory(figures.memory),
    meaning: 'resident (RSS)',
    curve: { figure: 'memory', minHigh: 16 * 1024 ** 2, priority: 45, width: 16 },
  },
  loop: {
    in: { ls: 4, workers: 9.7, monit: 80, page: 1000 },
    width: 4,
    text: ({ figures }) => formatShare(figures.elu),
    tone: ({ figures }) => toneFrom(figures.elu, 0.7, 0.9),
    meaning: 'how busy the event loop is',
    isNeeded: measures('elu'),
    isOfWorker: true,
  },
  delay: {
    in: { ls: 3, workers: 5, monit: 70, page: 1000 },
    width: 6,
    text: ({ figures }) => formatLatency(figures.eventLoopDelayMs?.p99),
    tone: ({ figures }) => toneFrom(figures.eventLoopDelayMs?.p99, 100, 1000),
    meaning: 'of the event loop, p99',
    isNeeded: measures('elu'),
    isOfWorker: true,
  },
  'req/s': {
    in: { ls: 5, monit: 85, page: 520 },
    width: 6,
    text: ({ figures }) => formatRate(figures.requestsPerSecond),
    meaning: 'HTTP requests answered',
    isNeeded: measures('requestsPerSecond'),
  },
  'req/min': {
    in: { workers: 10 },
    width: 7,
    text: ({ figures, worker }, now) => formatInteger(rateOf(figures.answered, worker, now)),
    isNeeded: ({ workers }) => workers.some(({ requests }) => requests),
  },
  open: {
    in: { ls: 5.5, workers: 3.5, monit: 97, page: 520 },
    width: 5,
    text: ({ figures }) => formatInteger(figures.open),
    meaning: 'HTTP requests in progress',
    isNeeded: ({ workers }) => workers.some(({ requests }) => requests?.open),
  },
  '5xx': {
    in: { ls: 5.8, workers: 9.8, monit: 98, page: 520 },
    width: 4,
    text: ({ figures }) => formatInteger(figures.errors),
    tone: ({ figures }) => toneFrom(figures.errors, 1, 1),
    meaning: 'HTTP errors, last minute',
    // The status says those that are many.
    isNeeded: (app) =>
      app.workers.some((each) => each.requests?.errors && statusWord(app, each, 0) === 'online'),
  },
  p50: {
    in: { workers: 2, monit: 30 },
    width: 6,
    text: ({ figures }) => formatLatency(figures.latencyMs?.p50),
    isNeeded: measures('requestsPerSecond'),
  },
  p99: {
    in: { ls: 3.5, workers: 9.6, monit: 75, page: 520 },
    width: 6,
    text: ({ figures }) => formatLatency(figures.latencyMs?.p99),
    meaning: 'response time, last minute',
    isNeeded: measures('requestsPerSecond'),
    isOfWorker: true,
  },
  conns: {
    in: { workers: 3, monit: 25 },
    width: 5,
    text: ({ figures }) => formatInteger(figures.connections),
    isNeeded: measures('connections'),
  },
  heap: {
    in: { workers: 4, monit: 20 },
    width: 6,
    text: ({ figures }) => formatMemory(figures.heapUsed),
    isNeeded: measures('heapUsed'),
  },
  uptime: {
    in: { ls: 6, workers: 6, monit: 35, page: 1000 },
    width: 7,
    text: (row, now) => (isMany(row) ? '' : formatAge(ageOf(row.worker?.startedAt, now))),
  },
  restarts: {
    in: { ls: 5.9, workers: 7, monit: 86, page: 760 },
    width: 8,
    text: ({ figures }) => formatInteger(figures.restarts),
  },
  pid: {
    in: { ls: 7.4, workers: 8, monit: 46, page: 1360 },
    width: 7,
    text: (row) => (isMany(row) ? '' : formatInteger(row.worker?.pid)),
  },
};

/** @param {TableName} table @returns {Column[]} from left to right */
function columnsOf(table) {
  return Object.entries(COLUMNS).flatMap(([heading, column]) => {
    const priority = column.in[table];
    if (priority === undefined) return [];
    return { ...column, heading, priority, align: column.isText ? 'left' : 'right' };
  });
}

/**
 * @param {TableName} table
 * @param {readonly App[]} apps
 * @param {readonly Column[]} [before] that were shown; they stay, or the others would move
 */
export function neededColumns(table, apps, before = []) {
  return columnsOf(table).filter(
    ({ heading, isNeeded }) =>
      !isNeeded || apps.some(isNeeded) || before.some((column) => column.heading === heading),
  );
}

/** @param {TableName} table @returns {[heading: string, meaning: string][]} for its help */
export function columnHelp(table) {
  return columnsOf(table).flatMap(({ heading, meaning }) => (meaning ? [[heading, meaning]] : []));
}

/** @param {keyof Worker} figure @returns {(app: App) => boolean} */
function measures(figure) {
  return ({ workers }) => workers.some((worker) => typeof worker[figure] === 'number');
}

/** @param {Row} row @returns {boolean} whether it is about several workers */
function isMany({ kind, count }) {
  return kind === 'app' || count !== undefined;
}

const MINUTE_MS = 60_000;

/**
 * @param {number | null | undefined} count in the last minute
 * @param {Row['worker']} worker
 * @param {number} now epoch ms
 * @returns {number | null | undefined} a minute, also of a worker that has not run for one, as after a reload
 */
function rateOf(count, worker, now) {
  const ageMs = Math.max(1000, now - (worker?.startedAt ?? 0));
  return count && ageMs < MINUTE_MS ? Math.round((count * MINUTE_MS) / ageMs) : count;
}

/** Each of its workers is compared with them. @type {WeakMap<App, string>} */
const allPorts = new WeakMap();

/** @param {Row} row @returns {string} of a worker only if another worker of its app differs */
function portText({ app, worker, isNested }) {
  const all = allPorts.get(app) ?? portsText(app.workers.flatMap(({ listening }) => listening));
  allPorts.set(app, all);
  if (worker === null) return all;
  const own = portsText(worker.listening);
  return isNested && own === all ? '' : own;
}
