import { machineMs } from '../../shared/monotonic.js';
import { VERSION } from '../../shared/version.js';
import { viewApp, workerPids } from '../apps/view.js';

/** @import { AsyncHandler } from './methods.js' */

/** Who asks for metrics does so again and again, some only once a minute; in ms. */
const LEASE_MS = 120_000;

/**
 * The table of `list` with what only ever grows, which is what a time series database wants.
 * @type {AsyncHandler<'metrics'>}
 */
export async function metrics(world) {
  const apps = world.table.all();
  const primaries = apps.flatMap(({ link }) => link.pid ?? []);
  const [usages, telemetry] = await Promise.all([
    world.metrics.sample([process.pid, ...primaries, ...apps.flatMap(workerPids)]),
    world.telemetry.sample(apps, { leaseMs: LEASE_MS, recentMs: LEASE_MS }),
  ]);
  const nowMs = machineMs();
  /** @param {number | null} pid */
  const usageOf = (pid) => usages.get(pid ?? 0) ?? null;
  return {
    daemon: {
      ...{
        pid: process.pid,
        version: VERSION,
        node: process.version,
        startedAt: Math.round(performance.timeOrigin),
      },
      usage: usageOf(process.pid),
    },
    apps: apps.map((app) => {
      const view = viewApp(app, { usages, telemetry }, nowMs);
      const { lastReload, lostReloads } = app;
      const told = app.link.snapshot?.reloads ?? null;
      const reloads = told && { ...told, failed: told.failed + lostReloads };
      const workers = view.workers.map((worker) => ({
        ...worker,
        usage: usageOf(worker.pid),
        report: telemetry.get(worker.pid ?? 0)?.report ?? null,
      }));
      return { ...view, primaryUsage: usageOf(view.primaryPid), reloads, lastReload, workers };
    }),
  };
}
