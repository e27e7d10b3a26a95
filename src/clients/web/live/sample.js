/** The figures of one second, in a fixed order, since there are many. Pure. */
import { figuresOf } from '../../../show/figures.js';

/**
 * @import { Figures as Named } from '../../../show/figures.js'
 * @import { Frame } from '../../../protocol/methods.js'
 * @import { WorkerView } from '../../../protocol/shapes.js'
 * @import { Figures, Sample } from '../shapes.js'
 */

export const FIGURES = 12;

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

/** @param {WorkerView[]} workers @returns {Figures} */
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

/** @param {number | null | undefined} value @param {number} digits @returns {number | null} */
function rounded(value, digits) {
  if (typeof value !== 'number') return null;
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
