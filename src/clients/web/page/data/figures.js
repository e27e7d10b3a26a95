/**
 * The figures of one second: the server sends them in this order, since there are many, and apart from what lasts; the
 * page reads them. Pure.
 */
import { figuresOf, ownFigures } from '../../../../show/rows.js';

/**
 * @import { Figures, Sample } from '../../shapes.js'
 * @import { Figures as Named } from '../../../../show/rows.js'
 * @import { App, Worker } from '../../../../protocol/shapes.js'
 *
 * @typedef {Named & {online?: number}} Source online: workers, of an app only
 * @typedef {[digits: number, read: (source: Source) => number | undefined]} Row
 */

/** How many digits of each are sent, and what it is. @satisfies {Record<string, Row>} */
const TABLE = {
  cpu: [1, ({ cpu }) => cpu],
  memory: [0, ({ memory }) => memory],
  elu: [3, ({ elu }) => elu],
  loopP50: [1, ({ eventLoopDelayMs }) => eventLoopDelayMs?.p50],
  loopP99: [1, ({ eventLoopDelayMs }) => eventLoopDelayMs?.p99],
  heapUsed: [0, ({ heapUsed }) => heapUsed],
  requests: [1, ({ requestsPerSecond }) => requestsPerSecond],
  errors: [0, ({ errors }) => errors],
  latencyP50: [2, ({ latencyMs }) => latencyMs?.p50],
  latencyP99: [2, ({ latencyMs }) => latencyMs?.p99],
  online: [0, ({ online }) => online],
};

/** @typedef {keyof typeof TABLE} FigureName */

/** Where each figure is in a sample. */
export const FIGURE = /** @type {Record<FigureName, number>} */ (
  Object.fromEntries(Object.keys(TABLE).map((name, index) => [name, index]))
);

/** @param {Source} source @returns {Figures} */
function inOrder(source) {
  return Object.values(TABLE).map(([digits, read]) => {
    const value = read(source);
    return typeof value === 'number' ? Number(value.toFixed(digits)) : null;
  });
}

/** @param {{at: number, apps: App[]}} frame at: epoch ms @returns {Sample} */
export function sampleOf({ at, apps }) {
  const ofApps = apps.map(({ name, workers }) => {
    const online = workers.filter(({ status }) => status === 'online').length;
    return [name, inOrder({ ...figuresOf(workers, at), online })];
  });
  const ofWorkers = apps.flatMap(({ name, workers }) =>
    workers.map((worker) => [`${name}:${worker.slot}`, inOrder(ownFigures(worker, at))]),
  );
  // Of many rows, the last ones have no past.
  return { at, rows: Object.fromEntries([...ofApps, ...ofWorkers]) };
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

/** @param {App} app @returns {App} without what the samples have */
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

/** @param {Figures | null} figures @returns {Named} by the names that columns know */
export function namedFigures(figures) {
  const of = (/** @type {FigureName} */ name) => figures?.[FIGURE[name]] ?? undefined;
  return {
    cpu: of('cpu'),
    memory: of('memory'),
    elu: of('elu'),
    eventLoopDelayMs: percentiles(of('loopP50'), of('loopP99')),
    requestsPerSecond: of('requests'),
    latencyMs: percentiles(of('latencyP50'), of('latencyP99')),
  };
}

/** @param {number} [p50] @param {number} [p99] */
function percentiles(p50, p99) {
  return p50 === undefined || p99 === undefined ? undefined : { p50, p99 };
}
