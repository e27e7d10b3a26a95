/** What of a frame changes every second, and what does not. Pure. */
import { figuresOf } from '../../show/figures.js';
import { inOrder } from './page/data/figures.js';

/**
 * @import { Sample } from './shapes.js'
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

/** @param {Worker[]} workers */
function figuresOfApp(workers) {
  const online = workers.filter(({ status }) => status === 'online').length;
  return inOrder({ ...(workers.length === 1 ? workers[0] : figuresOf(workers)), online });
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
