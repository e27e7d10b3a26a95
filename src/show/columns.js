/** What the tables show of each app and worker: heading, text, tone and meaning of every column. */
import { portsText } from './addresses.js';
import { escapeLine } from './escape.js';
import {
  ageOf,
  formatCpu,
  formatInteger,
  formatLatency,
  formatMemory,
  formatRate,
  formatShare,
  formatUptime,
} from './quantity.js';
import { cpuTone, delayTone, errorTone, loopTone } from './tone.js';

/**
 * @import { App, Worker } from '../protocol/shapes.js'
 * @import { Row } from './rows.js'
 * @import { Tone } from './tone.js'
 */

/**
 * @typedef {object} Shown
 * @property {(row: Row, now: number) => string} text now: epoch ms
 * @property {(row: Row) => Tone} [tone]
 * @property {string} [meaning] for the help
 * @property {(app: App) => boolean} [isNeeded] whether `ls` shows it because of this app; absent: it always does
 */

/** By heading. @type {Record<string, Shown>} */
export const columns = {
  id: { text: (row) => (isMany(row) ? '' : formatInteger(row.worker?.id)) },
  name: { text: ({ key, isNested }) => `${isNested ? '  ' : ''}${escapeLine(key)}` },
  namespace: {
    text: ({ app }) => escapeLine(app.namespace),
    isNeeded: ({ namespace }) => namespace !== 'default',
  },
  user: {
    text: ({ kind, app }) => (kind === 'worker' ? '' : escapeLine(app.user ?? '')),
    isNeeded: ({ user }) => user !== undefined,
  },
  mode: { text: ({ kind, app }) => (kind === 'worker' ? '' : escapeLine(app.mode)) },
  port: {
    text: portText,
    isNeeded: ({ workers }) => workers.some(({ listening }) => listening.length > 0),
  },
  cpu: {
    text: ({ figures }) => formatCpu(figures.cpu),
    tone: ({ figures, kind, app }) => cpuTone(figures.cpu, kind === 'app' ? app.workers.length : 1),
    meaning: 'percent of one core',
  },
  memory: { text: ({ figures }) => formatMemory(figures.memory), meaning: 'resident (RSS)' },
  loop: {
    text: ({ figures }) => formatShare(figures.elu),
    tone: ({ figures }) => loopTone(figures.elu),
    meaning: 'how busy the event loop is',
    isNeeded: measures('elu'),
  },
  'delay p50': { text: ({ figures }) => formatLatency(figures.eventLoopDelayMs?.p50) },
  delay: {
    text: ({ figures }) => formatLatency(figures.eventLoopDelayMs?.p99),
    tone: ({ figures }) => delayTone(figures.eventLoopDelayMs?.p99),
    meaning: 'of the event loop, p99',
    isNeeded: measures('elu'),
  },
  heap: { text: ({ figures }) => formatMemory(figures.heapUsed) },
  conns: { text: ({ figures }) => formatInteger(figures.connections) },
  'req/s': {
    text: ({ figures }) => formatRate(figures.requestsPerSecond),
    meaning: 'HTTP requests answered',
    isNeeded: measures('requestsPerSecond'),
  },
  p50: { text: ({ figures }) => formatLatency(figures.latencyMs?.p50) },
  p99: {
    text: ({ figures }) => formatLatency(figures.latencyMs?.p99),
    meaning: 'the time that they took, in the last minute',
    isNeeded: measures('requestsPerSecond'),
  },
  '5xx/s': {
    text: ({ figures }) => formatRate(figures.errorsPerSecond),
    tone: ({ figures }) => errorTone(figures.errorsPerSecond),
    meaning: 'HTTP errors answered',
  },
  open: {
    text: ({ figures }) => formatInteger(figures.open),
    meaning: 'HTTP requests in progress',
    isNeeded: counts('open'),
  },
  '5xx': {
    text: ({ figures }) => formatInteger(figures.errors),
    tone: ({ figures }) => errorTone(figures.errors),
    meaning: 'HTTP errors answered in the last minute',
    isNeeded: counts('errors'),
  },
  restarts: { text: ({ figures }) => formatInteger(figures.restarts) },
  uptime: {
    text: (row, now) => (isMany(row) ? '' : formatUptime(ageOf(row.worker?.startedAt, now))),
  },
  pid: { text: (row) => (isMany(row) ? '' : formatInteger(row.worker?.pid)) },
  gen: { text: ({ worker, app }) => formatInteger(worker?.generation ?? app.generation) },
};

/** For the help. @type {[heading: string, meaning: string][]} */
export const columnHelp = Object.entries(columns).flatMap(([heading, { meaning }]) =>
  meaning ? [[heading, meaning]] : [],
);

/** @param {keyof Worker} figure @returns {(app: App) => boolean} */
function measures(figure) {
  return ({ workers }) => workers.some((worker) => typeof worker[figure] === 'number');
}

/** @param {'open' | 'errors'} count @returns {(app: App) => boolean} whether it is not 0 */
function counts(count) {
  return ({ workers }) => workers.some(({ requests }) => requests?.[count]);
}

/** @param {Row} row @returns {boolean} whether it is about several workers */
function isMany({ kind, count }) {
  return kind === 'app' || count !== undefined;
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
