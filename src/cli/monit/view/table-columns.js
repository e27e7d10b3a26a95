/** The columns of the table of `monit`, and what a row has in each. */
import { maskLine } from '../../render/mask.js';
import { brevity, cpu, memory, rate, share, uptime } from '../../render/quantity.js';
import { ownScale, sparkline } from '../../render/sparkline.js';

/**
 * @import { History } from '../history.js'
 * @import { Row } from '../rows.js'
 */

/**
 * @typedef {'red' | 'yellow' | 'cyan' | 'dim' | null} Tone
 *
 * @typedef {object} TableColumn
 * @property {string} heading
 * @property {number} importance
 * @property {number} least
 * @property {number} [most] a wide terminal gives it so much
 * @property {'left' | 'right'} align
 * @property {(row: Row, width: number) => string} text
 * @property {(row: Row) => Tone} [tone]
 */

/** Percent of a core. A load below this does not look high, whatever it was before. */
const leastCpuSpan = 20;
/** Bytes. Memory that moves by less than this looks flat. */
const leastMemorySpan = 16 * 1024 ** 2;

/**
 * @param {History} history
 * @param {boolean} isFine whether the terminal has block characters
 * @returns {TableColumn[]} all but the name and the state
 */
export function tableColumns(history, isFine) {
  return [
    figure('cpu', 90, 6, ({ figures }) => cpu(figures.cpu), cpuTone),
    spark(50, 24, ({ key }, width) => {
      const values = (history.get(key)?.cpu ?? []).slice(-width);
      return sparkline(values, width, scaleOfCpu(values), isFine);
    }),
    figure('memory', 85, 6, ({ figures }) => memory(figures.memory)),
    spark(45, 16, ({ key }, width) => {
      const values = (history.get(key)?.memory ?? []).slice(-width);
      return sparkline(values, width, ownScale(values, leastMemorySpan), isFine);
    }),
    figure('loop', 80, 4, ({ figures }) => share(figures.elu), loopTone),
    figure('delay', 70, 6, ({ figures }) => brevity(figures.eventLoopDelayMs?.p99), delayTone),
    figure('req/s', 88, 6, ({ figures }) => rate(figures.requestsPerSecond)),
    figure('5xx/s', 40, 5, ({ figures }) => rate(figures.errorsPerSecond), errorTone),
    figure('p50', 30, 6, ({ figures }) => brevity(figures.latencyMs?.p50)),
    figure('p99', 75, 6, ({ figures }) => brevity(figures.latencyMs?.p99)),
    figure('conns', 25, 5, ({ figures }) => whole(figures.connections)),
    figure('heap', 20, 6, ({ figures }) => memory(figures.heapUsed)),
    figure('restarts', 38, 8, ({ figures }) => whole(figures.restarts)),
    figure('uptime', 35, 7, ({ worker }) => (worker ? uptime(worker.uptimeMs) : '')),
    figure('pid', 15, 7, ({ worker }) => (worker ? whole(worker.pid) : '')),
    figure('gen', 12, 3, ({ worker, app }) => whole(worker?.generation ?? app.generation)),
    figure('id', 10, 3, ({ worker }) => (worker ? whole(worker.id) : '')),
  ];
}

/** @param {Row} row @returns {string} */
export function nameText({ kind, key, app }) {
  return kind === 'worker' ? `  :${key.slice(app.name.length + 1)}` : maskLine(app.name);
}

/**
 * @param {string} heading
 * @param {number} importance
 * @param {number} least
 * @param {(row: Row) => string} text
 * @param {(row: Row) => Tone} [tone]
 * @returns {TableColumn}
 */
function figure(heading, importance, least, text, tone) {
  return { heading, importance, least, align: 'right', text, tone };
}

/**
 * @param {number} importance
 * @param {number} most
 * @param {(row: Row, width: number) => string} text
 * @returns {TableColumn}
 */
function spark(importance, most, text) {
  return { heading: '', importance, least: 6, most, align: 'left', text, tone: () => 'cyan' };
}

/** @param {(number | null)[]} values */
function scaleOfCpu(values) {
  return { low: 0, high: Math.max(leastCpuSpan, ...values.map(Number)) };
}

/** @param {Row} row @returns {Tone} */
function cpuTone({ figures, app, worker }) {
  const cores = worker ? 1 : app.workers.length;
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

/** @param {number | null | undefined} value */
function whole(value) {
  return typeof value === 'number' ? String(value) : '-';
}
