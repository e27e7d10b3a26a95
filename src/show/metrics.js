/** The measurements of a home directory, by Prometheus conventions and in its text format. */
import { LATENCY_BOUNDS_MS } from '../shared/latency.js';
import { featureMetrics, say } from './features.js';
import { ageOf } from './quantity.js';

/**
 * @import { Listed } from '../protocol/methods.js'
 * @import { App, Field, Histogram, Usage, Worker } from '../protocol/shapes.js'
 * @import { Family, Labels, Metric, Reading } from './metric-family.js'
 */

/** What the daemon must be asked for. @type {Field[]} */
export const METRIC_FIELDS = ['usage', 'counters', 'programMetrics'];

/**
 * @param {Listed | null} measured null: no daemon is running
 * @param {string} [ownVersion] what is said to be installed then
 * @returns {string} without a newline at the end
 */
export function renderMetrics(measured, ownVersion) {
  return renderExposition(metricFamilies(measured, ownVersion));
}

/** @param {Listed | null} measured as above @param {string} [ownVersion] */
export function metricFamilies(measured, ownVersion = '') {
  const { version = ownVersion, node = '' } = measured?.daemon ?? {};
  const apps = measured?.apps ?? [];
  const daemons = measured ? [measured.daemon] : [];
  const supervisors = [
    ...daemons.map(({ usage }) => ({ labels: { process: 'daemon', app: '' }, source: usage })),
    ...apps.map(({ name, primaryUsage: source }) => {
      return { labels: { process: 'primary', app: name }, source };
    }),
  ];
  const workers = apps.flatMap((app) =>
    app.workers.map((source) => ({ labels: { ...labelsOf(app), worker: source.slot }, source })),
  );
  return [
    ...familiesOf(homeMetrics, [{ labels: {}, source: { version, node, measured } }]),
    ...familiesOf(supervisorMetrics, supervisors),
    ...familiesOf(
      appMetrics,
      apps.map((app) => ({ labels: labelsOf(app), source: app })),
    ),
    ...familiesOf(workerMetrics, workers),
    ...say('families', apps, labelsOf),
  ];
}

/** @param {{name: string, namespace: string}} app */
function labelsOf({ name, namespace }) {
  return { app: name, namespace };
}

/** @template T @param {Metric<T>[]} metrics @param {{labels: Labels, source: T}[]} labelled */
function familiesOf(metrics, labelled) {
  return metrics.map(({ name, type, help, read }) => ({
    name: `nodecluster_${name}`,
    type,
    help,
    samples: labelled.flatMap(({ labels, source }) => {
      const reading = read(source) ?? [];
      /** @type {Exclude<Reading, number | null | undefined>} */
      const values = typeof reading === 'number' ? [[{}, reading]] : reading;
      return values.map(([more, value, suffix]) => ({
        labels: { ...labels, ...more },
        value,
        suffix,
      }));
    }),
  }));
}

/** In the text format that Prometheus 2 and 3 both scrape. @param {Family[]} families those without samples are left out */
function renderExposition(families) {
  return families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${escapeHelp(help)}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ labels, suffix = '', value }) => `${name}${suffix}${labelText(labels)} ${value}`,
      ),
    ])
    .join('\n');
}

/** @param {Labels} labels */
function labelText(labels) {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeHelp(String(value)).replaceAll('"', '\\"')}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

/** @param {string} text */
function escapeHelp(text) {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** Upper bounds of the buckets, in seconds. Workers count with more bounds between these. */
const LATENCY = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const DELAY = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 10];

/** @type {(type: Family['type']) => <T>(name: string, help: string, read: Metric<T>['read']) => Metric<T>} */
const ofType = (type) => (name, help, read) => ({ name, type, help, read });
const gauge = ofType('gauge');
const counter = ofType('counter');
const histogram = ofType('histogram');

/** @type {Metric<{version: string, node: string, measured: Listed | null}>[]} measured null: no daemon runs */
const homeMetrics = [
  gauge('build_info', 'Versions of nodecluster and of Node.', ({ version, node }) => [
    [{ version, node }, 1],
  ]),
  gauge('daemon_up', 'Whether the daemon is running.', ({ measured }) => Number(measured !== null)),
  gauge('daemon_start_time_seconds', 'Start time of the daemon since the epoch.', (home) =>
    seconds(home.measured?.daemon.startedAt),
  ),
];

/** @type {Metric<Usage | undefined>[]} of the daemon and of each primary */
const supervisorMetrics = [
  counter('supervisor_cpu_seconds_total', 'CPU time used by nodecluster itself.', (usage) =>
    seconds(usage?.ctime),
  ),
  gauge(
    'supervisor_resident_memory_bytes',
    'Resident memory of nodecluster itself.',
    (usage) => usage?.memory,
  ),
];

/** @type {Metric<App>[]} */
const appMetrics = [
  gauge('app_workers', 'Workers of the app in any state.', (app) => app.instances),
  gauge(
    'app_workers_online',
    'Workers that are online.',
    ({ workers }) => workers.filter(({ status }) => status === 'online').length,
  ),
  ...featureMetrics,
  gauge('app_generation', 'Increases by one with each reload.', (app) => app.generation),
  counter(
    'app_reloads_total',
    'Reloads by outcome.',
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
  gauge('app_last_reload_time_seconds', 'End time of the last reload since the epoch.', (app) =>
    seconds(app.lastReload?.at),
  ),
  gauge('app_last_reload_duration_seconds', 'Duration of the last reload.', (app) =>
    seconds(app.lastReload?.durationMs),
  ),
  counter(
    'app_log_lost_bytes_total',
    'Bytes of output that did not reach the log files.',
    (app) => app.logDroppedBytes,
  ),
  counter(
    'app_connections_given_up_total',
    'Connections that were closed unserved because no worker was left.',
    (app) => app.connectionsGivenUp,
  ),
];

/** @type {Metric<Worker>[]} */
const workerMetrics = [
  gauge('worker_up', 'Whether the worker is online.', ({ status }) => Number(status === 'online')),
  gauge(
    'worker_ready',
    'Whether the worker should get traffic: it is online, and not unhealthy.',
    ({ isReady }) => Number(isReady),
  ),
  gauge(
    'worker_healthy',
    'Whether its health checks succeed; only of apps that have health.',
    ({ health }) => health && Number(health.status === 'healthy'),
  ),
  gauge('worker_errored', 'Whether the worker has failed and is not restarted.', ({ status }) =>
    Number(status === 'errored'),
  ),
  gauge('worker_uptime_seconds', 'Time since the worker started.', ({ startedAt }) =>
    seconds(ageOf(startedAt, Date.now())),
  ),
  gauge(
    'worker_blocked_seconds',
    'Time for which the event loop has been blocked; 0 if it is not.',
    (worker) => seconds(ageOf(worker.blockedSince, Date.now()) ?? 0),
  ),
  counter(
    'worker_restarts_total',
    'Restarts after an unexpected exit.',
    ({ restarts }) => restarts,
  ),
  counter('worker_cpu_seconds_total', 'CPU time used by the worker.', ({ cpuTimeMs }) =>
    seconds(cpuTimeMs),
  ),
  gauge('worker_resident_memory_bytes', 'Resident memory of the worker.', ({ memory }) => memory),
  gauge('worker_heap_used_bytes', 'JavaScript heap in use.', ({ report }) => report?.heapUsed),
  gauge('worker_heap_size_bytes', 'JavaScript heap reserved.', ({ report }) => report?.heapTotal),
  counter(
    'worker_event_loop_active_seconds_total',
    'Time for which the event loop was busy.',
    (worker) => seconds(worker.report?.activeMs),
  ),
  counter(
    'worker_event_loop_idle_seconds_total',
    'Time for which the event loop was idle.',
    (worker) => seconds(worker.report?.idleMs),
  ),
  histogram(
    'worker_event_loop_delay_seconds',
    'Delay of the event loop, sampled every 100 ms.',
    ({ report }) => report && distribution(report.delay, DELAY),
  ),
  gauge(
    'worker_http_requests_in_progress',
    'HTTP requests without a complete answer.',
    ({ requests }) => requests?.open,
  ),
  gauge(
    'worker_http_oldest_request_seconds',
    'Age of the oldest HTTP request that has no answer yet; 0 without one.',
    ({ requests }) => requests && seconds(ageOf(requests.oldestSince, Date.now()) ?? 0),
  ),
  gauge('worker_connections', 'Open connections.', ({ report }) => report?.connections),
  counter(
    'worker_http_requests_total',
    'HTTP requests answered.',
    ({ report }) => report?.requests,
  ),
  counter(
    'worker_http_request_errors_total',
    'HTTP requests answered with 5xx.',
    ({ report }) => report?.errors,
  ),
  histogram(
    'worker_http_request_duration_seconds',
    'Time from the head of a request to the end of its response; sampled under high load.',
    ({ report }) => report && distribution(report.latency, LATENCY),
  ),
];

/**
 * @param {Histogram} counted with the bounds of the workers
 * @param {number[]} bounds some of them, in seconds
 * @returns {[Labels, value: number, suffix: string][]}
 */
function distribution({ counts, sumMs }, bounds) {
  const upTo = (/** @type {number} */ bound) =>
    counts
      .filter((_, index) => (LATENCY_BOUNDS_MS[index] ?? Infinity) <= bound * 1000)
      .reduce((sum, count) => sum + count, 0);
  /** @type {(bound: number) => [Labels, value: number, suffix: string]} */
  const bucket = (bound) => [{ le: isFinite(bound) ? bound : '+Inf' }, upTo(bound), '_bucket'];
  return [
    ...[...bounds, Infinity].map(bucket),
    [{}, sumMs / 1000, '_sum'],
    [{}, upTo(Infinity), '_count'],
  ];
}

/** @param {number | null | undefined} ms */
function seconds(ms) {
  return ms === null || ms === undefined ? null : ms / 1000;
}
