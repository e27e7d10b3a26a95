/** `metrics --listen` and `metrics --otlp`: the metrics of a home, served or sent outside of its daemon. */
import { once } from 'node:events';
import { NodeclusterError } from '../../errors/error.js';
import { readAddress, isLoopback, listenOn, isAllowedHost } from '../../shared/listen-address.js';
import { maskText } from '../../shared/secrets.js';
import { METRIC_FIELDS, renderMetrics } from '../../show/metrics.js';
import { judgeProbes, judgeWithoutDaemon } from '../../show/probe-policy.js';
import { sharePending, within } from '../../shared/deadline.js';
import { homePaths } from '../../shared/home.js';
import { escapeLine } from '../../show/escape.js';
import { recordedApps } from '../../api/recorded-apps.js';
import { exportIntervalIn, prepareExport } from './otlp.js';
import { formatDuration } from '../../shared/units.js';
import { VERSION } from '../../shared/version.js';
import { limitedServer } from '../http-server.js';

/**
 * @import { Server, ServerResponse } from 'node:http'
 * @import { Verdicts, Verdict } from '../../show/probe-policy.js'
 * @import { Context, Daemons } from '../../cli/context.js'
 * @import { Listed } from '../../protocol/methods.js'
 * @import { Field } from '../../protocol/shapes.js'
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
 */
export async function serveMetrics({ daemons, note, options: { listen, allowHost = [] } }) {
  const place = { ...readAddress(listen), allowedHosts: allowHost };
  const measure = () => fetchMetrics(daemons);
  const { server, address } = await serveEndpoint(place, { probe: probing(daemons), measure });
  const url = `http://${escapeLine(address)}`;
  note(`Serving metrics on ${url}/metrics, and probes on /live, /ready and /startup`);
  if (!isLoopback(place.host)) note('Everyone who can reach this address can read them.');
  // Makes the workers measure from now on, so that the first scrape has values.
  await measure().catch(() => null);
  await once(server, 'close');
  return 0;
}

/** @param {Daemons} daemons */
function probing(daemons) {
  /** @type {{verdicts: Verdicts, atMs: number} | null} */
  let last = null;
  return async () => {
    try {
      const verdicts = await within(ask(), PROBE_MS);
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

  async function ask() {
    const client = await daemons.find();
    if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
    const { daemon, apps } = await client.request('list', {}, { timeoutMs: PROBE_MS });
    return judgeProbes(apps, { isShuttingDown: daemon.isShuttingDown, now: Date.now() });
  }

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

/** `metrics --otlp`: sends the metrics of a home to a collector, until the process ends. @param {Context} context */
export async function exportMetrics(context) {
  const { daemons, env, note } = context;
  const onChange = (/** @type {string | null} */ reason) =>
    note(reason === null ? 'Metrics exported' : `Could not export metrics: ${escapeLine(reason)}`);
  const begin = prepareExport(context, () => fetchMetrics(daemons), onChange);
  note(`Exporting metrics every ${formatDuration(exportIntervalIn(env))}`);
  return begin();
}

/**
 * `run --listen` and `run --otlp`.
 * @param {Pick<Context, 'cwd' | 'env' | 'options'>} context
 * @returns {OpenOutlets}
 */
export function outletsOf({ cwd, env, options: { listen, allowHost = [], otlp } }) {
  // Who asks is usually on another machine.
  const address = listen === undefined ? null : readAddress(listen, '0.0.0.0');
  return async ({ probe, list, onOpen, onExport }) => {
    const measure = () => list(METRIC_FIELDS);
    const beginExport = otlp ? prepareExport({ cwd, env }, measure, onExport) : null;
    if (address) {
      const place = { ...address, allowedHosts: allowHost };
      onOpen((await serveEndpoint(place, { probe, measure })).address);
    }
    return beginExport;
  };
}

const MEASURE_MS = 10_000;

/** Null: no daemon is running, and measuring does not start one. @param {Daemons} daemons */
async function fetchMetrics(daemons) {
  const client = await daemons.find();
  const options = { timeoutMs: MEASURE_MS };
  return client ? client.request('list', { fields: METRIC_FIELDS }, options) : null;
}

const WRONG_HOST =
  'This name of the server is not allowed. See `nodecluster help metrics`: --allow-host.';
const PLAIN = 'text/plain; charset=utf-8';
const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';
const PATHS = '/metrics, /live, /ready and /startup';

/** @typedef {{name: keyof Verdicts, yes: string, no: string}} Probe */

/** By path. @type {Record<string, Probe>} */
const PROBES = {
  '/live': { name: 'live', yes: 'live', no: 'not live' },
  '/ready': { name: 'ready', yes: 'ready', no: 'not ready' },
  '/startup': { name: 'startup', yes: 'started', no: 'not started yet' },
};

/**
 * The HTTP server of `run --listen` and `metrics --listen`: probes for an orchestrator, and metrics for
 * Prometheus. It answers from what is known already, so that a frozen app cannot delay an answer.
 * @param {{host: string, port: number, allowedHosts: readonly string[]}} place allowedHosts: names that requests for
 *   the metrics may use besides addresses, localhost and `host`
 * @param {{probe: () => Promise<Verdicts>, measure: () => Promise<Listed | null>}} source probe: never rejects; measure:
 *   null: no daemon is running
 * @returns {Promise<{server: Server, address: string}>} address: `127.0.0.1:9464`
 */
export async function serveEndpoint({ host, port, allowedHosts }, { probe, measure }) {
  const [probeOnce, measureOnce] = [sharePending(probe), sharePending(measure)];
  const hosts = [host, ...allowedHosts];
  const server = limitedServer();
  server.on('request', async ({ url = '', method, headers }, response) => {
    const [path] = url.split('?');
    const probed = Object.hasOwn(PROBES, path) ? PROBES[path] : null;
    if (probed === null && path !== '/metrics')
      return send(response, 404, `Known paths: ${PATHS}.`);
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return send(response, 405, 'Only GET is allowed.');
    }
    // The kubelet asks by the address of the pod, and others by any name: a verdict is no secret.
    if (probed !== null) {
      return sendVerdict(response, probed, (await probeOnce())[probed.name]);
    }
    if (!isAllowedHost(headers.host, hosts)) return send(response, 403, WRONG_HOST);
    try {
      send(response, 200, renderMetrics(await measureOnce(), VERSION), EXPOSITION);
    } catch (thrown) {
      send(response, 503, NodeclusterError.from(thrown).message);
    }
  });
  return { server, address: await listenOn(server, { host, port }) };
}

/** @param {ServerResponse} response @param {number} status @param {string} text @param {string} [type] */
function send(response, status, text, type = PLAIN) {
  response.writeHead(status, { 'Content-Type': type }).end(`${text}\n`);
}

/** Apps that are named; an orchestrator shows the first lines of a failed probe. */
const MAX_NAMED = 20;

/** @param {ServerResponse} response @param {Probe} probe @param {Verdict} verdict */
function sendVerdict(response, { yes, no }, { ok, reasons }) {
  response.setHeader('Cache-Control', 'no-store');
  const status = ok ? 200 : 503;
  // A reason quotes what a program wrote, and strangers may read it here.
  const lines = reasons.slice(0, MAX_NAMED).map(({ app, reason }) => {
    const text = maskText(reason);
    return app === null ? text : `${app}: ${text}`;
  });
  send(response, status, ok ? yes : [no, ...lines].join('\n'));
}
