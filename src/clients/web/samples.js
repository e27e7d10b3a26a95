/** What of a frame changes every second, and what does not. Pure. */
import { figuresOf, ownFigures } from '../../show/rows.js';
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
  const all = apps.flatMap((app) => app.workers);
  return {
    at,
    apps: Object.fromEntries(apps.map(({ name, workers }) => [name, figuresOfApp(workers, at)])),
    workers: Object.fromEntries(all.map((worker) => [worker.id, inOrder(ownFigures(worker, at))])),
  };
}

/** @param {Worker[]} workers @param {number} at */
function figuresOfApp(workers, at) {
  const online = workers.filter(({ status }) => status === 'online').length;
  return inOrder({ ...figuresOf(workers, at), online });
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
  const rest = workers.map(({ beside, ...worker }) => ({
    ...lasting(worker),
    ...(beside && { beside: beside.map(lasting) }),
  }));
  return { ...app, workers: /** @type {Worker[]} */ (rest) };
}

/** @param {Partial<Worker>} worker */
function lasting(worker) {
  return Object.fromEntries(Object.entries(worker).filter(([key]) => !CHANGING.includes(key)));
}
