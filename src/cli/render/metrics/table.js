/** Every metric: its name after the conventions of Prometheus, and what it is read from. */
import { LATENCY_BOUNDS_MS } from '../../../lifecycle/latency.js';

/**
 * @import { MeasuredApp, MeasuredWorker, Measurements } from '../../../protocol/methods.js'
 * @import { Histogram, Usage } from '../../../protocol/shapes.js'
 * @import { Distribution, Family, Labels } from './exposition.js'
 */

/** In seconds; each of them is a bound that the workers count by. */
const LATENCY = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const DELAY = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 10];

/** @typedef {number | null | undefined | Distribution | [Labels, number][]} Reading */

/**
 * @template T what it is read from
 * @typedef {object} Metric
 * @property {string} name without `nodecluster_`
 * @property {Family['type']} type
 * @property {string} help
 * @property {(source: T) => Reading} read
 */

/** @type {Metric<null>[]} */
export const buildMetrics = [
  gauge('build_info', 'Versions of nodecluster and of its Node.', () => 1),
];

/** @type {Metric<Measurements | null>[]} null: no daemon runs */
export const homeMetrics = [
  gauge('daemon_up', 'Whether the daemon runs.', (measured) => Number(measured !== null)),
];

/** @type {Metric<Measurements['daemon']>[]} */
export const daemonMetrics = [
  gauge('daemon_start_time_seconds', 'When the daemon started, since the epoch.', (daemon) =>
    seconds(daemon.startedAt),
  ),
];

/** @type {Metric<Usage | null>[]} of the daemon and of each primary */
export const supervisorMetrics = [
  counter('supervisor_cpu_seconds_total', 'CPU time that nodecluster itself has used.', (usage) =>
    seconds(usage?.ctime),
  ),
  gauge(
    'supervisor_resident_memory_bytes',
    'Memory of nodecluster itself (RSS).',
    (usage) => usage?.memory,
  ),
];

/** @type {Metric<MeasuredApp>[]} */
export const appMetrics = [
  gauge('app_workers', 'Workers that the app has, whatever their state.', (app) => app.instances),
  gauge('app_workers_online', 'Workers that serve.', (app) => app.workers.filter(isOnline).length),
  gauge('app_generation', 'Grows by one with each reload.', (app) => app.generation),
  counter(
    'app_reloads_total',
    'Reloads by outcome; one that its primary did not survive has failed.',
    (app) =>
      app.reloads && [
        [{ outcome: 'ok' }, app.reloads.ok],
        [{ outcome: 'failed' }, app.reloads.failed],
        [{ outcome: 'rolled_back' }, app.reloads.rolledBack],
      ],
  ),
  gauge(
    'app_last_reload_successful',
    'Whether the last reload succeeded.',
    ({ lastReload }) => lastReload && Number(lastReload.ok),
  ),
  gauge('app_last_reload_time_seconds', 'When the last reload ended, since the epoch.', (app) =>
    seconds(app.lastReload?.at),
  ),
  gauge('app_last_reload_duration_seconds', 'How long the last reload took.', (app) =>
    seconds(app.lastReload?.durationMs),
  ),
];

/** @type {Metric<MeasuredWorker>[]} */
export const workerMetrics = [
  gauge('worker_up', 'Whether the worker serves.', (worker) => Number(isOnline(worker))),
  gauge('worker_uptime_seconds', 'How long the worker has run.', ({ uptimeMs }) =>
    seconds(uptimeMs),
  ),
  gauge('worker_blocked_seconds', 'How long its event loop has been blocked, if it is.', (worker) =>
    seconds(worker.blockedMs ?? 0),
  ),
  counter('worker_restarts_total', 'Starts after a death.', ({ restarts }) => restarts),
  counter('worker_cpu_seconds_total', 'CPU time that the worker has used.', ({ usage }) =>
    seconds(usage?.ctime),
  ),
  gauge(
    'worker_resident_memory_bytes',
    'Memory of the worker (RSS).',
    ({ usage }) => usage?.memory,
  ),
  gauge('worker_heap_used_bytes', 'Heap that is in use.', ({ report }) => report?.heapUsed),
  gauge('worker_heap_size_bytes', 'Heap that is reserved.', ({ report }) => report?.heapTotal),
  counter(
    'worker_event_loop_active_seconds_total',
    'Time that the event loop was busy.',
    (worker) => seconds(worker.report?.activeMs),
  ),
  counter('worker_event_loop_idle_seconds_total', 'Time that the event loop waited.', (worker) =>
    seconds(worker.report?.idleMs),
  ),
  histogram(
    'worker_event_loop_delay_seconds',
    'How late the event loop came to a timer that looks every 100 ms.',
    ({ report }) => report && distribution(report.delay, DELAY),
  ),
  gauge('worker_connections', 'Open connections.', ({ report }) => report?.connections),
  counter(
    'worker_http_requests_total',
    'HTTP requests that were answered.',
    ({ report }) => report?.requests,
  ),
  counter(
    'worker_http_request_errors_total',
    'HTTP requests answered with 5xx.',
    ({ report }) => report?.errors,
  ),
  histogram(
    'worker_http_request_duration_seconds',
    'From the head of a request to the end of its answer; of many requests, of a sample.',
    ({ report }) => report && distribution(report.latency, LATENCY),
  ),
];

/**
 * @param {Histogram} counted by the bounds of the workers
 * @param {number[]} bounds fewer, in seconds
 * @returns {Distribution}
 */
function distribution({ counts, sumMs }, bounds) {
  const merged = Array(bounds.length + 1).fill(0);
  for (const [index, count] of counts.entries()) {
    const ms = LATENCY_BOUNDS_MS[index] ?? Infinity;
    const at = bounds.findIndex((bound) => ms <= bound * 1000);
    merged[at === -1 ? bounds.length : at] += count;
  }
  return { bounds, counts: merged, sum: sumMs / 1000 };
}

/** @param {{status: string}} worker */
function isOnline({ status }) {
  return status === 'online';
}

/** @param {number | null | undefined} ms */
function seconds(ms) {
  return ms === null || ms === undefined ? null : ms / 1000;
}

/** @type {<T>(name: string, help: string, read: Metric<T>['read']) => Metric<T>} */
function gauge(name, help, read) {
  return { name, type: 'gauge', help, read };
}

/** @type {<T>(name: string, help: string, read: Metric<T>['read']) => Metric<T>} */
function counter(name, help, read) {
  return { name, type: 'counter', help, read };
}

/** @type {<T>(name: string, help: string, read: Metric<T>['read']) => Metric<T>} */
function histogram(name, help, read) {
  return { name, type: 'histogram', help, read };
}
