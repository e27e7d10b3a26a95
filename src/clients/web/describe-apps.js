/** The apps as the page gets them: what changes every second is apart, in the samples. Pure. */
import { appState, workerState } from '../../show/state.js';
import { withoutNulls } from './merge-patch.js';

/**
 * @import { Frame } from '../../protocol/methods.js'
 * @import { AppView, AutoscalingView, CanaryState, WorkerView } from '../../protocol/shapes.js'
 * @import { App, State, Worker } from './shapes.js'
 */

/** Times that differ by less are the same one, which was reckoned from an age twice. */
const TOLERANCE_MS = 1500;

/**
 * @param {Pick<Frame, 'at' | 'apps'>} frame
 * @param {State['apps']} before as they were
 * @returns {Pick<State, 'order' | 'apps'>}
 */
export function describeApps({ at, apps }, before) {
  const described = apps.map((app) => [app.name, describeApp(app, at, own(before, app.name))]);
  return { order: apps.map(({ name }) => name), apps: Object.fromEntries(described) };
}

/** @param {AppView} view @param {number} at @param {App | undefined} before @returns {App} */
function describeApp(view, at, before) {
  const { workers, job, autoscaling, canary, ...app } = view;
  const described = workers.map((worker) => [
    worker.id,
    describeWorker(worker, view, at, own(before?.workers ?? {}, String(worker.id))),
  ]);
  const known = withoutNulls({
    ...app,
    job: job && { ...job, nextRunInMs: null },
    autoscaling: autoscaling && describeScaling(autoscaling),
    canary: canary && describeCanary(canary, at, before?.canary?.since),
  });
  return { ...known, state: appState(view), workers: Object.fromEntries(described) };
}

/** @param {AutoscalingView} autoscaling */
function describeScaling({ utilisation, lastChange, ...autoscaling }) {
  return {
    ...autoscaling,
    utilisation: utilisation && Math.round(utilisation * 100) / 100,
    lastChange: lastChange && { ...lastChange, agoMs: null },
  };
}

/** @param {CanaryState} canary @param {number} at epoch ms @param {number | undefined} since as it was sent before */
function describeCanary({ judgedMs, ...canary }, at, since) {
  return { ...canary, since: steady(since, judgedMs || null, at, -1) };
}

/**
 * @param {WorkerView} worker
 * @param {AppView} app
 * @param {number} at epoch ms
 * @param {Worker | undefined} before
 * @returns {Worker}
 */
function describeWorker(worker, app, at, before) {
  const { uptimeMs, retryInMs, blockedMs, health, ...rest } = withoutFigures(worker);
  const failingMs = health?.failingMs ?? null;
  return withoutNulls({
    ...rest,
    state: workerState(worker, app),
    startedAt: steady(before?.startedAt, uptimeMs, at, -1),
    retryAt: steady(before?.retryAt, retryInMs, at, 1),
    blockedSince: steady(before?.blockedSince, blockedMs, at, -1),
    health: health && {
      ...health,
      failingMs: null,
      failingSince: steady(before?.health?.failingSince, failingMs, at, -1),
    },
  });
}

/** @param {WorkerView} worker */
function withoutFigures({
  cpu: _cpu,
  memory: _memory,
  elu: _elu,
  eventLoopDelayMs: _delay,
  heapUsed: _used,
  heapTotal: _total,
  connections: _connections,
  requestsPerSecond: _requests,
  errorsPerSecond: _errors,
  latencyMs: _latency,
  ...rest
}) {
  return rest;
}

/**
 * @param {number | undefined} before epoch ms
 * @param {number | null} ms from now
 * @param {number} at now
 * @param {1 | -1} direction -1: ago
 * @returns {number | null} epoch ms; as before, if it is nearly the same
 */
function steady(before, ms, at, direction) {
  if (typeof ms !== 'number') return null;
  const time = at + direction * ms;
  return before !== undefined && Math.abs(before - time) < TOLERANCE_MS ? before : time;
}

/**
 * @template T
 * @param {Record<string, T>} object
 * @param {string} key an app may be called `constructor`
 */
function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
