/** `run --listen` and `run --otlp`: what others learn about the apps, from before the first one starts. */
import { prepareExport } from '../../../clients/metrics/otlp.js';
import { METRIC_FIELDS } from '../../../show/metrics.js';
import { recordOf } from '../../../daemon/apps/record.js';
import { listApps } from '../../../daemon/queries/apps.js';
import { serveEndpoint } from '../../../clients/metrics/server.js';
import { judgeProbes } from '../../../lifecycle/probe-policy.js';

/**
 * @import { Collector } from '../../../clients/metrics/otlp-collector.js'
 * @import { Place } from '../../../clients/metrics/server.js'
 * @import { Daemon } from '../../../daemon/daemon.js'
 * @import { Log } from '../../../daemon/log.js'
 * @import { ProbedApp } from '../../../lifecycle/probe-policy.js'
 */

/**
 * @param {{listen: Place | null, otlp: Collector | null}} order
 * @param {Log} log
 * @param {string[]} names of the apps that will be started, some of them when others are ready
 * @returns {Promise<(started: Daemon) => void>} takes the daemon whose apps are meant
 * @throws {NodeclusterError} E_LISTEN, E_OTLP_PACKAGES
 */
export async function openOutlets({ listen, otlp }, log, names) {
  /** @type {Daemon | null} */
  let daemon = null;
  const beginExport =
    otlp && prepareExport(otlp, async () => daemon && measure(daemon), noting(log));
  const attachEndpoint = listen && (await openEndpoint(listen, log, names));
  return (started) => {
    daemon = started;
    attachEndpoint?.(started);
    void beginExport?.();
  };
}

/** @param {Log} log @returns {(reason: string | null) => void} */
function noting(log) {
  return (reason) => {
    if (reason === null) log.info('metrics.exported');
    else log.warn('metrics.export-failed', { reason });
  };
}

/**
 * @param {Place} place
 * @param {Log} log
 * @param {string[]} names of the apps that will be started, some of them when others are ready
 * @returns {Promise<(started: Daemon) => void>} takes the daemon whose apps are meant
 * @throws {NodeclusterError} E_LISTEN
 */
async function openEndpoint(place, log, names) {
  /** @type {Daemon | null} */
  let daemon = null;
  const awaited = new Set(names);
  const { address } = await serveEndpoint(place, {
    probe: async () => (daemon ? judge(daemon, awaited) : judgeProbes([], { now: Date.now() })),
    measure: async () => daemon && measure(daemon),
  });
  log.info('endpoint.open', { address });
  return (started) => {
    daemon = started;
  };
}

/** @param {Daemon} daemon */
function measure(daemon) {
  return listApps(daemon, daemon.table.all(), { fields: METRIC_FIELDS });
}

/**
 * @param {Daemon} daemon
 * @param {Set<string>} awaited names of apps that have not been in the table yet; loses those that are
 */
function judge({ table, isShuttingDown, isEnding }, awaited) {
  for (const name of awaited) if (table.get(name)) awaited.delete(name);
  const apps = [...table.all().map((app) => recordOf(app)), ...Array.from(awaited, awaitedApp)];
  return judgeProbes(apps, { isShuttingDown: isShuttingDown || isEnding, now: Date.now() });
}

/** @param {string} name @returns {ProbedApp} */
function awaitedApp(name) {
  const status = /** @type {const} */ ('starting');
  const worker = { slot: 0, status, isReady: false, reason: 'not started yet' };
  return { name, status, readyMin: 1, hasBeenReady: false, workers: [worker] };
}
