import t from 'tap';
import { renderMetrics } from '../../../src/show/metrics.js';
import { LATENCY_BOUNDS_MS } from '../../../src/shared/latency.js';
import { faultsOf } from '../../support/metrics/exposition.js';
import { read } from '../../support/sources.js';

function counted(counts = {}) {
  return { counts: [...LATENCY_BOUNDS_MS, Infinity].map((ms) => counts[ms] ?? 0), sumMs: 1500 };
}

const usage = { cpu: 1, memory: 4096, ctime: 2500 };
const report = {
  ...{ activeMs: 1000, idleMs: 9000, heapUsed: 10, heapTotal: 20, connections: 3 },
  ...{ requests: 7, errors: 1, delay: counted({ 50: 2 }) },
  latency: counted({ 0.1: 1, 1.5: 2, 10: 3, 60_000: 1 }),
};
const worker = {
  ...{ slot: 0, status: 'online', startedAt: 1, restarts: 4, cpu: 1, memory: 4096 },
  ...{ cpuTimeMs: 2500, report },
  ...{ isReady: true, health: { status: 'healthy' } },
  requests: { open: 2, answered: 7, errors: 0 },
};
const unmeasured = { cpuTimeMs: undefined, report: undefined };
const app = {
  ...{ name: 'api', namespace: 'shop', instances: 2, generation: 3, primaryUsage: usage },
  reloads: { ok: 2, failed: 1, rolledBack: 0 },
  lastReload: { ok: false, at: 1_000_000, durationMs: 1500 },
  logDroppedBytes: 4096,
  connectionsGivenUp: 7,
  autoscaling: { min: 2, max: 8 },
  programMetrics: { families: [], failure: null },
  job: { skipped: 2, nextRunAt: 3_000_000, lastRun: { ok: true, at: 2_000_000, durationMs: 500 } },
  workers: [
    worker,
    { ...worker, ...unmeasured, slot: 1, status: 'errored', isReady: false },
    { ...worker, slot: 2, health: undefined },
  ],
};
const daemon = { version: '1.2.3', node: 'v20.0.0', startedAt: 5000, usage };
const text = renderMetrics({ daemon, apps: [app] });
const lines = text.split('\n');

t.test('what was measured, in base units', async (t) => {
  const labels = 'app="api",namespace="shop"';
  for (const line of [
    'nodecluster_build_info{version="1.2.3",node="v20.0.0"} 1',
    'nodecluster_daemon_up 1',
    'nodecluster_supervisor_cpu_seconds_total{process="primary",app="api"} 2.5',
    `nodecluster_app_workers{${labels}} 2`,
    `nodecluster_app_reloads_total{${labels},outcome="failed"} 1`,
    `nodecluster_app_last_reload_successful{${labels}} 0`,
    `nodecluster_app_workers_max{${labels}} 8`,
    `nodecluster_worker_errored{${labels},worker="1"} 1`,
    `nodecluster_worker_up{${labels},worker="0"} 1`,
    `nodecluster_worker_ready{${labels},worker="1"} 0`,
    `nodecluster_worker_cpu_seconds_total{${labels},worker="0"} 2.5`,
    `nodecluster_worker_http_oldest_request_seconds{${labels},worker="0"} 0`,
    `nodecluster_worker_http_request_duration_seconds_bucket{${labels},worker="0",le="0.002"} 3`,
    `nodecluster_worker_http_request_duration_seconds_bucket{${labels},worker="0",le="10"} 6`,
    `nodecluster_worker_http_request_duration_seconds_bucket{${labels},worker="0",le="+Inf"} 7`,
    `nodecluster_worker_http_request_duration_seconds_sum{${labels},worker="0"} 1.5`,
  ]) {
    t.ok(lines.includes(line), line);
  }
});

t.test('what is not known is left out, and Prometheus accepts it', async (t) => {
  t.same(faultsOf(text), []);
  t.notMatch(text, /cpu_seconds_total\{[^}]*worker="1"/);
  t.notMatch(text, /http_requests_total\{[^}]*worker="1"/);
  t.notMatch(text, /null|undefined|NaN/);
});

t.test('docs/guides/metrics.md lists every metric', async (t) => {
  const families = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const page = read('docs/guides/metrics.md');
  const rows = [...page.matchAll(/^\| `(nodecluster_\w+)` +\| (\w+) +\|/gm)];
  t.same(
    rows.map(([, name, type]) => [name, type]).sort(),
    families.map(([, name, type]) => [name, type]).sort(),
  );
});
