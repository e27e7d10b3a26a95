/** `run --listen`: probes and metrics, from before the first app starts until the end. */
import { serveEndpoint } from '../../endpoint/server.js';
import { judgeProbes } from '../../lifecycle/probe-policy.js';
import { probeVerdicts } from '../probes/verdicts.js';
import { metrics } from '../queries/metrics.js';

/**
 * @import { Place } from '../../endpoint/server.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Log } from '../log.js'
 */

/**
 * @param {Place} place
 * @param {Log} log
 * @returns {Promise<(started: Daemon) => void>} takes the daemon whose apps are meant
 * @throws {NodeclusterError} E_LISTEN
 */
export async function openEndpoint(place, log) {
  /** @type {Daemon | null} */
  let daemon = null;
  const { address } = await serveEndpoint(place, {
    probe: async () =>
      daemon ? probeVerdicts(daemon) : judgeProbes([], { isShuttingDown: false }),
    measure: async () => daemon && metrics(daemon),
  });
  log.info('endpoint.open', { address });
  return (started) => {
    daemon = started;
  };
}
