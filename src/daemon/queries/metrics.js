import { machineMs } from '../../shared/monotonic.js';
import { VERSION } from '../../shared/version.js';
import { viewApp, workerPids } from '../apps/view.js';

/**
 * @import { Measurements } from '../../protocol/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** ms; some scrapers poll only once a minute, and the workers must keep measuring in between. */
const LEASE_MS = 120_000;

/**
 * The table of `list` with counters that only grow, as time series databases need them.
 * @param {Daemon} daemon
 * @returns {Promise<Measurements>}
 */
export async function metrics(daemon) {
  const apps = daemon.table.all();
  const primaries = apps.flatMap(({ link }) => link.pid ?? []);
  const [usages, telemetry, own] = await Promise.all([
    daemon.metrics.sample([process.pid, ...new Set(primaries), ...apps.flatMap(workerPids)]),
    daemon.telemetry.sample(apps, { leaseMs: LEASE_MS, recentMs: LEASE_MS }),
    daemon.features.measure(apps),
  ]);
  const nowMs = machineMs();
  /** @type {Set<number | null>} */
  const counted = new Set();
  const usageOf = (/** @type {number | null} */ pid) => usages.get(pid ?? 0) ?? null;
  return {
    daemon: {
      pid: process.pid,
      version: VERSION,
      node: process.version,
      startedAt: Math.round(performance.timeOrigin),
      usage: usageOf(process.pid),
    },
    apps: apps.map((app) => {
      const view = daemon.features.view(app, viewApp(app, { usages, telemetry }, nowMs));
      const { lastReload, lostReloads } = app;
      const counts = app.link.snapshot?.reloads ?? null;
      const reloads = counts && { ...counts, failed: counts.failed + lostReloads };
      const workers = view.workers.map((worker) => ({
        ...worker,
        usage: usageOf(worker.pid),
        report: telemetry.get(worker.pid ?? 0)?.report ?? null,
      }));
      const { primaryPid } = view;
      // One that several apps share is counted once.
      const primaryUsage = counted.has(primaryPid) ? null : usageOf(primaryPid);
      counted.add(primaryPid);
      return { ...view, primaryUsage, reloads, lastReload, workers, ...own(app) };
    }),
  };
}
