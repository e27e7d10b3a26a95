/** `metrics --listen`: the metrics over HTTP, for Prometheus to fetch. GET /metrics, and no more. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isIP } from 'node:net';
import { NodeclusterError } from '../../errors/error.js';
import { maskLine } from '../render/mask.js';
import { renderMetrics } from '../render/metrics/metrics.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 * @import { Context } from '../context.js'
 */

/** Of all clients together. */
const MAX_CONNECTIONS = 64;
const MAX_HEAD_BYTES = 8192;
const REQUEST_MS = 10_000;
/** So often Node looks for requests that take longer; by itself every 30 s. */
const CHECK_MS = 1000;

const TYPES = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/**
 * @typedef {{host: string, port: number}} Address
 */

/**
 * @param {Context} context
 * @param {string} address as it was typed
 * @returns {Promise<number>} the exit code, when the server has ended
 * @throws {NodeclusterError} E_LISTEN_ADDRESS, E_LISTEN
 */
export async function serveMetrics(context, address) {
  const { host, port } = readAddress(address);
  const measure = shared(() => measureHome(context));
  const server = createServer(
    {
      maxHeaderSize: MAX_HEAD_BYTES,
      connectionsCheckingInterval: CHECK_MS,
      requestTimeout: REQUEST_MS,
      headersTimeout: REQUEST_MS,
    },
    (request, response) => answer(request, response, measure),
  );
  server.maxConnections = MAX_CONNECTIONS;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const reason = /** @type {NodeJS.ErrnoException} */ (error).code;
    throw new NodeclusterError('E_LISTEN', { address: `${host}:${port}`, reason });
  }
  const bound = /** @type {AddressInfo} */ (server.address());
  const name = host.includes(':') ? `[${host}]` : host;
  context.note(`Metrics are served on http://${maskLine(name)}:${bound.port}/metrics`);
  if (!isLoopback(host)) context.note('Everybody who reaches this address can read them.');
  // From now on the workers count.
  await measure().catch(() => null);
  await once(server, 'close');
  return 0;
}

/**
 * @param {string} text `9100`, `127.0.0.1:9100`, `[::1]:9100`
 * @returns {Address}
 * @throws {NodeclusterError} E_LISTEN_ADDRESS
 */
export function readAddress(text) {
  const [, bracketed, plain, digits] =
    /^(?:(?:\[([^\]]+)\]|([^:[\]/\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '127.0.0.1';
  const port = Number(digits);
  const isAddress = digits !== undefined && port <= 65_535;
  if (!isAddress || (bracketed !== undefined && isIP(bracketed) !== 6)) {
    throw new NodeclusterError('E_LISTEN_ADDRESS', { address: text });
  }
  return { host, port };
}

/** @param {string} host */
function isLoopback(host) {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {() => Promise<any>} measure
 */
async function answer(request, response, measure) {
  const [path] = (request.url ?? '').split('?');
  if (path !== '/metrics') return refuse(response, 404, 'Not here. Ask for /metrics.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return refuse(response, 405, 'Only GET is answered.');
  }
  const wantsOpen = /application\/openmetrics-text/.test(request.headers.accept ?? '');
  const format = wantsOpen ? 'openmetrics' : 'prometheus';
  try {
    const text = renderMetrics(await measure(), format);
    response.writeHead(200, { 'Content-Type': TYPES[format] }).end(`${text}\n`);
  } catch (thrown) {
    refuse(response, 503, NodeclusterError.from(thrown).message);
  }
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {string} text
 */
function refuse(response, status, text) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/**
 * @param {Context} context
 * @returns {Promise<any>} null where no daemon runs; one that was ended stays so
 */
async function measureHome({ daemons }) {
  const client = await daemons.find();
  return client ? client.request('metrics', {}, { timeoutMs: REQUEST_MS }) : null;
}

/**
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {() => Promise<T>} who asks while another waits gets the same answer
 */
function shared(ask) {
  /** @type {Promise<T> | null} */
  let asked = null;
  return () => {
    asked ??= ask().finally(() => (asked = null));
    return asked;
  };
}
