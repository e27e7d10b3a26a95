/**
 * The HTTP server of `run --listen` and `metrics --listen`: probes for an orchestrator, and metrics for
 * Prometheus. It answers from what is known already, so that a frozen app cannot delay an answer.
 */
import { NodeclusterError } from '../../errors/error.js';
import { VERSION } from '../../shared/version.js';
import { isLoopback, listenOn, isAllowedHost } from '../../shared/listen-address.js';
import { limitedServer } from '../../shared/http-server.js';
import { renderMetrics } from '../../show/metrics.js';
import { sharePending } from '../../shared/http-limits.js';

/**
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 * @import { Listed } from '../../protocol/methods.js'
 * @import { Verdict, Verdicts } from '../../lifecycle/probe-policy.js'
 */

/**
 * @typedef {object} Source
 * @property {() => Promise<Verdicts>} probe never rejects
 * @property {() => Promise<Listed | null>} measure null: no daemon is running
 *
 * @typedef {object} Place
 * @property {string} host
 * @property {number} port
 * @property {readonly string[]} allowedHosts names that requests for the metrics may use besides
 *   addresses, localhost and `host`
 */

const WRONG_HOST =
  'This name of the server is not allowed. See `nodecluster help metrics`: --allow-host.';
const PLAIN = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';
const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';
const PATHS = '/metrics, /live, /ready and /startup';

/** The probes by path. @type {Record<string, keyof Verdicts>} */
const PROBES = { '/live': 'live', '/ready': 'ready', '/startup': 'startup' };

/**
 * @param {Place} place
 * @param {Source} source
 * @returns {Promise<{server: Server, address: string, isPublic: boolean}>} address: `127.0.0.1:9464`
 * @throws {NodeclusterError} E_LISTEN
 */
export async function serveEndpoint({ host, port, allowedHosts }, { probe, measure }) {
  const shared = { probe: sharePending(probe), measure: sharePending(measure) };
  const server = limitedServer();
  server.on('request', (request, response) =>
    reply(request, response, shared, [host, ...allowedHosts]),
  );
  const address = await listenOn(server, { host, port });
  return { server, address, isPublic: !isLoopback(host) };
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {Source} source
 * @param {readonly string[]} hosts
 */
async function reply(request, response, source, hosts) {
  const [path] = (request.url ?? '').split('?');
  const probe = Object.hasOwn(PROBES, path) ? PROBES[path] : null;
  if (probe === null && path !== '/metrics') return send(response, 404, `Known paths: ${PATHS}.`);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return send(response, 405, 'Only GET is allowed.');
  }
  if (probe !== null) return replyToProbe(probe, request, response, source);
  if (!isAllowedHost(request.headers.host, hosts)) return send(response, 403, WRONG_HOST);
  try {
    send(response, 200, renderMetrics(await source.measure(), VERSION), EXPOSITION);
  } catch (thrown) {
    send(response, 503, NodeclusterError.from(thrown).message);
  }
}

/**
 * The kubelet asks by the address of the pod, and others by any name: a verdict is no secret.
 * @param {keyof Verdicts} probe
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {Source} source
 */
async function replyToProbe(probe, { headers }, response, source) {
  const verdict = (await source.probe())[probe];
  const isJson = headers.accept?.includes('application/json') ?? false;
  response.setHeader('Cache-Control', 'no-store');
  const status = verdict.ok ? 200 : 503;
  send(response, status, renderVerdict(probe, verdict, isJson), isJson ? JSON_TYPE : PLAIN);
}

/** @param {ServerResponse} response @param {number} status @param {string} text @param {string} [type] */
function send(response, status, text, type = PLAIN) {
  response.writeHead(status, { 'Content-Type': type }).end(`${text}\n`);
}

/** Apps that are named; an orchestrator shows the first lines of a failed probe. */
const MAX_NAMED = 20;

/** Of a URL in what a program wrote; strangers may read it here. */
const PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@/g;

/** @type {Record<keyof Verdicts, {yes: string, no: string}>} */
const WORDS = {
  live: { yes: 'live', no: 'not live' },
  ready: { yes: 'ready', no: 'not ready' },
  startup: { yes: 'started', no: 'not started yet' },
};

/**
 * @param {keyof Verdicts} probe
 * @param {Verdict} verdict
 * @param {boolean} isJson
 * @returns {string} without a newline at the end
 */
function renderVerdict(probe, { ok, reasons }, isJson) {
  const named = reasons.slice(0, MAX_NAMED).map(({ app, reason }) => {
    return { app, reason: reason.replace(PASSWORD, '://********@') };
  });
  if (isJson) return JSON.stringify({ probe, ok, reasons: named });
  const lines = named.map(({ app, reason }) => (app === null ? reason : `${app}: ${reason}`));
  const { yes, no } = WORDS[probe];
  return ok ? yes : [no, ...lines].join('\n');
}
