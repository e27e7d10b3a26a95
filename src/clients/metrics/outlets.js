/** `metrics --listen` and `metrics --otlp`: the metrics of a home, served or sent outside of its daemon. */
import { once } from 'node:events';
import { NodeclusterError } from '../../errors/error.js';
import { readAddress } from '../../shared/listen-address.js';
import { METRIC_FIELDS } from '../../show/metrics.js';
import { serveEndpoint } from './server.js';
import { judgeProbes, judgeWithoutDaemon } from '../../lifecycle/probe-policy.js';
import { within } from '../../shared/deadline.js';
import { homePaths } from '../../shared/home.js';
import { escapeLine } from '../../show/escape.js';
import { recordedApps } from '../../api/recorded-apps.js';
import { prepareExport, readCollector } from './otlp.js';
import { formatDuration } from '../../shared/units.js';

/**
 * @import { Verdicts } from '../../lifecycle/probe-policy.js'
 * @import { Context, Daemons } from '../../cli/context.js'
 * @import { Listed } from '../../protocol/methods.js'
 * @import { Field } from '../../protocol/request.js'
 *
 * @typedef {object} RunSource the daemon of `run`, which is in the same process
 * @property {() => Promise<Verdicts>} probe
 * @property {(fields: Field[]) => Promise<Listed | null>} list null: it has not started yet
 * @property {(address: string) => void} onOpen an endpoint listens there
 * @property {(reason: string | null) => void} onExport as of `prepareExport`
 *
 * @typedef {(source: RunSource) => Promise<(() => void) | null>} OpenOutlets resolves to what begins the export;
 *   rejects with E_LISTEN, E_OTLP_PACKAGES
 */

/** Less than the second after which a kubelet gives up. */
const PROBE_MS = 700;

/**
 * @param {Context} context its options: `listen` and perhaps `allowHost`
 * @returns {Promise<number>} the exit code, when the server has closed
 * @throws {NodeclusterError} E_LISTEN_ADDRESS, E_LISTEN
 */
export async function serveMetrics({ daemons, note, options: { listen, allowHost = [] } }) {
  const place = { ...readAddress(listen), allowedHosts: allowHost };
  const endpoint = await serveEndpoint(place, {
    probe: probing(daemons),
    measure: () => fetchMetrics(daemons),
  });
  const url = `http://${escapeLine(endpoint.address)}`;
  note(`Serving metrics on ${url}/metrics, and probes on /live, /ready and /startup`);
  if (endpoint.isPublic) note('Everyone who can reach this address can read them.');
  // Makes the workers measure from now on, so that the first scrape has values.
  await fetchMetrics(daemons).catch(() => null);
  await once(endpoint.server, 'close');
  return 0;
}

/** @param {Daemons} daemons */
function probing(daemons) {
  /** @type {{verdicts: Verdicts, atMs: number} | null} */
  let last = null;
  return async () => {
    try {
      const verdicts = await within(fetchVerdicts(daemons), PROBE_MS);
      if (verdicts === null) return withoutDaemon('The daemon does not answer.');
      last = { verdicts, atMs: performance.now() };
      return verdicts;
    } catch (thrown) {
      const { code, message } = NodeclusterError.from(thrown);
      if (code === 'E_DAEMON_ENDING')
        return judgeProbes([], { isShuttingDown: true, now: Date.now() });
      return withoutDaemon(message);
    }
  };

  /** @param {string} reason */
  function withoutDaemon(reason) {
    const apps = recordedApps(homePaths(daemons.home)).filter(({ isStopped }) => !isStopped);
    const isServing = apps.some(({ isRunning }) => isRunning);
    return judgeWithoutDaemon({
      isServing,
      isNeeded: apps.length > 0,
      last: last && { verdicts: last.verdicts, ageMs: performance.now() - last.atMs },
      reason,
    });
  }
}

/** @param {Daemons} daemons */
async function fetchVerdicts(daemons) {
  const client = await daemons.find();
  if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
  const { daemon, apps } = await client.request('list', {}, { timeoutMs: PROBE_MS });
  return judgeProbes(apps, { isShuttingDown: daemon.isShuttingDown, now: Date.now() });
}

/**
 * `metrics --otlp`: the metrics of a home, sent to a collector.
 * @param {Context} context its option: `otlp`
 * @returns {Promise<number>} never resolves: it exports until the process ends
 * @throws {NodeclusterError} E_OTLP_URL, E_OTLP_PACKAGES
 */
export async function exportMetrics({ cwd, daemons, env, note, options }) {
  const collector = readCollector({ url: options.otlp, cwd, env });
  const begin = prepareExport(
    collector,
    () => fetchMetrics(daemons),
    (reason) =>
      note(
        reason === null ? 'Metrics exported' : `Could not export metrics: ${escapeLine(reason)}`,
      ),
  );
  const name = collector.url ? shownUrl(collector.url) : '$OTEL_EXPORTER_OTLP_ENDPOINT';
  note(`Exporting metrics to ${escapeLine(name)} every ${formatDuration(collector.everyMs)}`);
  return begin();
}

/**
 * `run --listen` and `run --otlp`.
 * @param {Pick<Context, 'cwd' | 'env' | 'options'>} context
 * @returns {OpenOutlets}
 * @throws {NodeclusterError} E_LISTEN_ADDRESS, E_OTLP_URL
 */
export function outletsOf({ cwd, env, options: { listen, allowHost = [], otlp } }) {
  // Who asks is usually on another machine.
  const address = listen === undefined ? null : readAddress(listen, '0.0.0.0');
  const collector = otlp === undefined ? null : readCollector({ url: otlp, cwd, env });
  return async ({ probe, list, onOpen, onExport }) => {
    const measure = () => list(METRIC_FIELDS);
    const beginExport = collector && prepareExport(collector, measure, onExport);
    if (address) {
      const place = { ...address, allowedHosts: allowHost };
      onOpen((await serveEndpoint(place, { probe, measure })).address);
    }
    return beginExport;
  };
}

/** @param {string} text @returns {string} without a password or a key */
function shownUrl(text) {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

const MEASURE_MS = 10_000;

/**
 * @param {Daemons} daemons
 * @returns {Promise<Listed | null>} null: no daemon is running, and measuring does not start one
 */
async function fetchMetrics(daemons) {
  const client = await daemons.find();
  const options = { timeoutMs: MEASURE_MS };
  return client ? client.request('list', { fields: METRIC_FIELDS }, options) : null;
}
