/** The figures of an app: what its workers measure, taken together. */

/** @import { WorkerView } from '../protocol/shapes.js' */

/**
 * @typedef {object} Figures of a worker, or of all workers of an app
 * @property {number | null} cpu
 * @property {number | null} memory
 * @property {number | null} restarts
 * @property {WorkerView['elu']} [elu]
 * @property {{p50: number, p99: number} | null} [eventLoopDelayMs]
 * @property {WorkerView['heapUsed']} [heapUsed]
 * @property {WorkerView['connections']} [connections]
 * @property {WorkerView['requestsPerSecond']} [requestsPerSecond]
 * @property {WorkerView['errorsPerSecond']} [errorsPerSecond]
 * @property {WorkerView['latencyMs']} [latencyMs]
 */

/**
 * @param {WorkerView[]} workers
 * @returns {Figures} sums, and the worst value of what cannot be added
 */
export function figuresOf(workers) {
  return {
    cpu: sumOf(workers, 'cpu'),
    memory: sumOf(workers, 'memory'),
    elu: maxOf(workers.map(({ elu }) => elu)),
    eventLoopDelayMs: worstOf(workers.map(({ eventLoopDelayMs }) => eventLoopDelayMs)),
    heapUsed: sumOf(workers, 'heapUsed'),
    connections: sumOf(workers, 'connections'),
    requestsPerSecond: sumOf(workers, 'requestsPerSecond'),
    errorsPerSecond: sumOf(workers, 'errorsPerSecond'),
    latencyMs: worstOf(workers.map(({ latencyMs }) => latencyMs)),
    restarts: sumOf(workers, 'restarts'),
  };
}

/**
 * @param {WorkerView[]} workers
 * @param {'cpu' | 'memory' | 'heapUsed' | 'connections' | 'requestsPerSecond' | 'errorsPerSecond' |
 *   'restarts'} key
 * @returns {number | null} null: no worker reports it
 */
function sumOf(workers, key) {
  const known = workers.map((worker) => worker[key]).filter((value) => typeof value === 'number');
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null;
}

/** @param {(number | null | undefined)[]} values */
function maxOf(values) {
  const known = values.filter((value) => typeof value === 'number');
  return known.length > 0 ? Math.max(...known) : null;
}

/** @param {({p50: number, p99: number} | null | undefined)[]} percentiles */
function worstOf(percentiles) {
  const p50 = maxOf(percentiles.map((each) => each?.p50));
  const p99 = maxOf(percentiles.map((each) => each?.p99));
  return p50 === null || p99 === null ? null : { p50, p99 };
}
