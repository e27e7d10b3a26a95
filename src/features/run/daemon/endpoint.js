/** `run --listen`: probes and metrics, from before the first app starts until the end. */
import { serveEndpoint } from '../../../clients/metrics/server.js';
import { judgeProbes } from '../../../lifecycle/probe-policy.js';
import { probeVerdicts } from '../../../daemon/probes/verdicts.js';
import { metrics } from '../../../daemon/queries/metrics.js';

/**
 * @import { Place } from '../../../clients/metrics/server.js'
 * @import { Daemon } from '../../../daemon/daemon.js'
 * @import { Log } from '../../../daemon/log.js'
 */

/**
 * @param {Place} place
 * @param {Log} log
 * @param {string[]} names of the apps that will be started, some of them when others are ready
 * @returns {Promise<(started: Daemon) => void>} takes the daemon whose apps are meant
 * @throws {NodeclusterError} E_LISTEN
 */
export async function openEndpoint(place, log, names) {
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
