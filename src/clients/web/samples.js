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
export function sampleOf({ at, apps: all }) {
  const apps = all.map(({ name, workers }) => ({
    name,
    workers: workers.map((worker) => withBlock(worker, at)),
  }));
  const workers = apps.flatMap((app) => app.workers);
  return {
    at,
    apps: Object.fromEntries(apps.map(({ name, workers: own }) => [name, figuresOfApp(own)])),
    workers: Object.fromEntries(workers.map((worker) => [worker.id, inOrder(worker)])),
  };
}

/** While its event loop is blocked, a worker reports nothing, and must not look idle. @param {Worker} worker @param {number} at */
function withBlock(worker, at) {
  const { blockedSince } = worker;
  if (blockedSince === undefined) return worker;
  const ms = Math.max(0, at - blockedSince);
  return { ...worker, elu: 1, eventLoopDelayMs: { p50: ms, p99: ms, max: ms } };
}

/** @param {Worker[]} workers */
function figuresOfApp(workers) {
  const online = workers.filter(({ status }) => status === 'online').length;
  return inOrder({ ...figuresOf(workers), online });
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
