/** Every column of `ls`, `describe` and `monit`: its heading, its text and its priority. */
import { maskLine } from '../mask.js';
import {
  formatCpu,
  formatInteger,
  formatLatency,
  formatMemory,
  formatRate,
  formatShare,
  formatUptime,
} from '../quantity.js';
import { appState, singleState, workerState } from '../state.js';
import { portsText } from './addresses.js';

/** @import { Row } from './rows.js' */

/**
 * @typedef {'red' | 'yellow' | 'cyan' | null} Tone
 *
 * @typedef {object} Cells
 * @property {'left' | 'right'} align
 * @property {number} width in `monit`, where a column keeps its width from frame to frame
 * @property {(row: Row) => string} text
 * @property {(row: Row) => Tone} [tone] colour in `monit`
 *
 * @typedef {Cells & {heading: string, priority: number}} Column priority: if there is no room, the
 *   column with the lowest priority is dropped first; Infinity: never dropped
 */

/** @type {Record<string, Cells>} */
const columns = {
  id: right(3, ({ kind, worker }) => (kind === 'app' ? '' : formatInteger(worker?.id))),
  name: left(20, ({ key, isNested }) => `${isNested ? '  ' : ''}${maskLine(key)}`),
  namespace: left(9, ({ app }) => maskLine(app.namespace)),
  user: left(10, ({ kind, app }) => (kind === 'worker' ? '' : maskLine(app.user ?? ''))),
  mode: left(7, ({ kind, app }) => (kind === 'worker' ? '' : maskLine(app.mode))),
  status: left(17, stateText),
  port: right(5, portText),
  cpu: right(6, ({ figures }) => formatCpu(figures.cpu), cpuTone),
  memory: right(6, ({ figures }) => formatMemory(figures.memory)),
  loop: right(4, ({ figures }) => formatShare(figures.elu), loopTone),
  'delay p50': right(9, ({ figures }) => formatLatency(figures.eventLoopDelayMs?.p50)),
  delay: right(6, ({ figures }) => formatLatency(figures.eventLoopDelayMs?.p99), delayTone),
  heap: right(6, ({ figures }) => formatMemory(figures.heapUsed)),
  conns: right(5, ({ figures }) => formatInteger(figures.connections)),
  'req/s': right(6, ({ figures }) => formatRate(figures.requestsPerSecond)),
  '5xx/s': right(5, ({ figures }) => formatRate(figures.errorsPerSecond), errorTone),
  p50: right(6, ({ figures }) => formatLatency(figures.latencyMs?.p50)),
  p99: right(6, ({ figures }) => formatLatency(figures.latencyMs?.p99)),
  restarts: right(8, ({ figures }) => formatInteger(figures.restarts)),
  uptime: right(7, ({ kind, worker }) => (kind === 'app' ? '' : formatUptime(worker?.uptimeMs))),
  pid: right(7, ({ kind, worker }) => (kind === 'app' ? '' : formatInteger(worker?.pid))),
  gen: right(3, ({ worker, app }) => formatInteger(worker?.generation ?? app.generation)),
};

/** The columns of each table from left to right, each with its priority. */
const tables = {
  ls: {
    id: Infinity,
    name: Infinity,
    namespace: 2,
    user: 2.5,
    mode: 1,
    status: Infinity,
    port: 0,
    cpu: 9,
    memory: 8,
    loop: 4,
    delay: 3,
    'req/s': 5,
    p99: 3.5,
    uptime: 6,
    restarts: 7,
    pid: 4.5,
  },
  measured: {
    name: Infinity,
    loop: 9,
    'delay p50': 4,
    delay: 8,
    heap: 5,
    conns: 3,
    'req/s': 10,
    '5xx/s': 6,
    p50: 2,
    p99: 7,
  },
  monit: {
    name: Infinity,
    status: 99,
    port: 36,
    cpu: 90,
    memory: 85,
    loop: 80,
    delay: 70,
    'req/s': 88,
    '5xx/s': 40,
    p50: 30,
    p99: 75,
    conns: 25,
    heap: 20,
    restarts: 38,
    uptime: 35,
    pid: 15,
    gen: 12,
    id: 10,
  },
};

/**
 * @param {keyof typeof tables} table
 * @returns {Column[]} from left to right
 */
export function columnsOf(table) {
  return Object.entries(tables[table]).map(([heading, priority]) => ({
    ...columns[heading],
    heading,
    priority,
  }));
}

/** @param {number} width @param {Cells['text']} text @returns {Cells} */
function left(width, text) {
  return { align: 'left', width, text };
}

/**
 * @param {number} width
 * @param {Cells['text']} text
 * @param {Cells['tone']} [tone]
 * @returns {Cells}
 */
function right(width, text, tone) {
  return { align: 'right', width, text, tone };
}

/**
 * @param {Row} row
 * @returns {string} what it is doing, and what is wrong with it
 */
export function stateText({ app, worker, kind }) {
  if (kind === 'single') return singleState(app);
  return worker ? workerState(worker, app) : appState(app);
}

/** @param {Row} row @returns {string} of a worker only if another worker of its app differs */
function portText({ app, worker, isNested }) {
  const all = portsText(app.workers.flatMap(({ listening = [] }) => listening));
  if (worker === null) return all;
  const own = portsText(worker.listening ?? []);
  return isNested && own === all ? '' : own;
}

/** @param {Row} row @returns {Tone} */
function cpuTone({ figures, kind, app }) {
  const cores = kind === 'app' ? app.workers.length : 1;
  return (figures.cpu ?? 0) >= 90 * cores ? 'yellow' : null;
}

/** @param {Row} row @returns {Tone} */
function loopTone({ figures: { elu } }) {
  if (typeof elu !== 'number' || elu < 0.7) return null;
  return elu < 0.9 ? 'yellow' : 'red';
}

/** @param {Row} row @returns {Tone} */
function delayTone({ figures: { eventLoopDelayMs } }) {
  if (!eventLoopDelayMs || eventLoopDelayMs.p99 < 100) return null;
  return eventLoopDelayMs.p99 < 1000 ? 'yellow' : 'red';
}

/** @param {Row} row @returns {Tone} */
function errorTone({ figures: { errorsPerSecond } }) {
  return (errorsPerSecond ?? 0) > 0 ? 'red' : null;
}
