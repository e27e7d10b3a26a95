/** `run --listen` and `run --otlp`: what others learn about the apps, from before the first one starts. */
import { prepareExport } from '../../../clients/metrics/otlp.js';
import { metrics } from '../../../daemon/queries/metrics.js';
import { serveEndpoint } from '../../../clients/metrics/server.js';
import { judgeProbes } from '../../../lifecycle/probe-policy.js';
import { probeVerdicts } from '../../../daemon/queries/probe.js';

/**
 * @import { Collector } from '../../../clients/metrics/otlp-collector.js'
 * @import { Place } from '../../../clients/metrics/server.js'
 * @import { Daemon } from '../../../daemon/daemon.js'
 * @import { Log } from '../../../daemon/log.js'
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
    otlp && prepareExport(otlp, async () => daemon && metrics(daemon), noting(log));
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
    probe: async () =>
      daemon ? probeVerdicts(daemon, awaited) : judgeProbes([], { isShuttingDown: false }),
    measure: async () => daemon && metrics(daemon),
  });
  log.info('endpoint.open', { address });
  return (started) => {
    daemon = started;
  };
}
