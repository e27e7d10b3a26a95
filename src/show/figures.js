/** The figures of an app: what its workers measure, taken together. */
import { ageOf } from './quantity.js';

/** @import { ReplacedWorker, Worker } from '../protocol/shapes.js' */

/** @typedef {Worker | ReplacedWorker} Measured */

/**
 * @typedef {Pick<Worker, 'cpu' | 'memory' | 'elu' | 'heapUsed' | 'connections' | 'requestsPerSecond' | 'errorsPerSecond' |
 *   'latencyMs'> & {open?: number, answered?: number, errors?: number, restarts?: number, eventLoopDelayMs?: Worker['latencyMs']}} Figures of a worker, or of all workers
 *   of an app, as far as they are known
 */

/**
 * @param {Worker[]} all
 * @param {number} now epoch ms
 * @returns {Figures} sums, and the worst value of what cannot be added; those that are being replaced count as long as they serve
 */
export function figuresOf(all, now) {
  const workers = all.flatMap((worker) => [withBlock(worker, now), ...(worker.beside ?? [])]);
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
    open: sum(workers.map(openOf)),
    answered: sum(workers.map(({ requests }) => requests?.answered)),
    errors: sum(workers.map(({ requests }) => requests?.errors)),
    restarts: sum(all.map(({ restarts }) => restarts)),
  };
}

/** While its event loop is blocked, a worker reports nothing, and must not look idle. @param {Worker} worker @param {number} now */
function withBlock(worker, now) {
  const ms = ageOf(worker.blockedSince, now);
  return ms === undefined
    ? worker
    : { ...worker, elu: 1, eventLoopDelayMs: { p50: ms, p99: ms, max: ms } };
}

/**
 * @param {Measured[]} workers
 * @param {'cpu' | 'memory' | 'heapUsed' | 'connections' | 'requestsPerSecond' | 'errorsPerSecond'} key
 * @returns {number | undefined} undefined: no worker reports it
 */
function sumOf(workers, key) {
  return sum(workers.map((worker) => worker[key]));
}

/** A worker that is blocked has counted nothing since. @param {Measured & {status?: string}} worker */
function openOf({ status, requests }) {
  return status === 'unresponsive' ? undefined : requests?.open;
}

/** @param {(number | undefined)[]} values @returns {number | undefined} undefined: none is known */
function sum(values) {
  const known = values.filter((value) => typeof value === 'number');
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined;
}

/** @param {(number | undefined)[]} values */
function maxOf(values) {
  const known = values.filter((value) => typeof value === 'number');
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** @param {Worker['latencyMs'][]} percentiles */
function worstOf(percentiles) {
  const p50 = maxOf(percentiles.map((each) => each?.p50));
  const p99 = maxOf(percentiles.map((each) => each?.p99));
  return p50 === undefined || p99 === undefined ? undefined : { p50, p99 };
}
