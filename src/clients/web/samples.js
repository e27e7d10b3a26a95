/** The figures of one second, in a fixed order, since there are many. Pure. */
import { figuresOf } from '../../show/figures.js';

/**
 * @import { Figures, Sample } from './shapes.js'
 * @import { Figures as Named } from '../../show/figures.js'
 * @import { Frame } from '../../api/feed.js'
 * @import { App, Worker } from '../../protocol/shapes.js'
 */

/**
 * @param {Pick<Frame, 'at' | 'apps'>} frame
 * @returns {Sample}
 */
export function sampleOf({ at, apps }) {
  const workers = apps.flatMap((app) => app.workers);
  return {
    at,
    apps: Object.fromEntries(apps.map(({ name, workers: own }) => [name, figuresOfApp(own)])),
    workers: Object.fromEntries(workers.map((worker) => [worker.id, inOrder(worker)])),
  };
}

/** @param {Worker[]} workers @returns {Figures} */
function figuresOfApp(workers) {
  const figures = inOrder(workers.length === 1 ? workers[0] : figuresOf(workers));
  figures.push(workers.filter(({ status }) => status === 'online').length);
  return figures;
}

/** @param {Named} figures @returns {Figures} */
function inOrder(figures) {
  const { eventLoopDelayMs, latencyMs } = figures;
  return [
    rounded(figures.cpu, 1),
    rounded(figures.memory, 0),
    rounded(figures.elu, 3),
    rounded(eventLoopDelayMs?.p50, 1),
    rounded(eventLoopDelayMs?.p99, 1),
    rounded(figures.heapUsed, 0),
    rounded(figures.connections, 0),
    rounded(figures.requestsPerSecond, 1),
    rounded(figures.errorsPerSecond, 1),
    rounded(latencyMs?.p50, 2),
    rounded(latencyMs?.p99, 2),
  ];
}

/** Of a worker, what changes every second. */
const CHANGING = [
  'cpu',
  'memory',
  'cpuTimeMs',
  'elu',
  'eventLoopDelayMs',
  'heapUsed',
  'heapTotal',
  'connections',
  'requestsPerSecond',
  'errorsPerSecond',
  'latencyMs',
];

/**
 * @param {App} app
 * @returns {App} without what the samples have
 */
export function withoutFigures({ workers, ...app }) {
  const rest = workers.map((worker) =>
    Object.fromEntries(Object.entries(worker).filter(([key]) => !CHANGING.includes(key))),
  );
  return { ...app, workers: /** @type {Worker[]} */ (rest) };
}

/** @param {number | null | undefined} value @param {number} digits */
function rounded(value, digits) {
  if (typeof value !== 'number') return null;
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
