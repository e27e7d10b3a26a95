/** `metrics --listen`: an HTTP server for Prometheus to scrape. It serves only GET /metrics. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { NodeclusterError } from '../../errors/error.js';
import { maskLine } from '../render/mask.js';
import { renderMetrics } from '../../api/metrics/metrics.js';
import { isAllowedHost } from './allowed-hosts.js';
import { isLoopback, listenOn, readAddress } from './endpoints/address.js';
import { sharePending } from './endpoints/share-pending.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Measurements } from '../../protocol/methods.js'
 * @import { Context } from '../context.js'
 */

const MAX_CONNECTIONS = 64;
const MAX_HEAD_BYTES = 8192;
const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node checks for requests that have timed out; its default is 30 s. */
const TIMEOUT_CHECK_MS = 1000;

const WRONG_HOST =
  'This name of the server is not allowed. See `nodecluster help metrics`: --allow-host.';
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * @param {Context} context
 * @param {string} address as the user typed it
 * @param {readonly string[]} allowedHosts names that requests may use besides addresses, localhost and
 *   the name in `address`
 * @returns {Promise<number>} the exit code, when the server has closed
 * @throws {NodeclusterError} E_LISTEN_ADDRESS, E_LISTEN
 */
export async function serveMetrics(context, address, allowedHosts) {
  const { host, port } = readAddress(address);
  const measure = sharePending(() => fetchMetrics(context));
  const server = createServer(
    {
      maxHeaderSize: MAX_HEAD_BYTES,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
    },
    (request, response) =>
      isAllowedHost(request.headers.host, [host, ...allowedHosts])
        ? reply(request, response, measure)
        : replyError(response, 403, WRONG_HOST),
  );
  server.maxConnections = MAX_CONNECTIONS;
  const bound = await listenOn(server, { host, port });
  context.note(`Serving metrics on http://${maskLine(bound)}/metrics`);
  if (!isLoopback(host)) context.note('Everyone who can reach this address can read them.');
  // Makes the workers measure from now on, so that the first scrape has values.
  await measure().catch(() => null);
  await once(server, 'close');
  return 0;
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {() => Promise<Measurements | null>} measure
 */
async function reply(request, response, measure) {
  const [path] = (request.url ?? '').split('?');
  if (path !== '/metrics') return replyError(response, 404, 'The metrics are at /metrics.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return replyError(response, 405, 'Only GET is allowed.');
  }
  try {
    const text = renderMetrics(await measure());
    response.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(`${text}\n`);
  } catch (thrown) {
    replyError(response, 503, NodeclusterError.from(thrown).message);
  }
}

/** @param {ServerResponse} response @param {number} status @param {string} text */
function replyError(response, status, text) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/**
 * @param {Context} context
 * @returns {Promise<Measurements | null>} null: no daemon is running, and scraping does not start one
 */
async function fetchMetrics({ daemons }) {
  const client = await daemons.find();
  return client ? client.request('metrics', {}, { timeoutMs: REQUEST_TIMEOUT_MS }) : null;
}
