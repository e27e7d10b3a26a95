/** An HTTP server that a client cannot exhaust: its connections, headers and time are limited. */
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { limitConnections } from './http-limits.js';

/**
 * @import { Server } from 'node:http'
 * @import { Socket } from 'node:net'
 */

const MAX_HEAD_BYTES = 8192;
const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node checks for requests that have timed out; its default is 30 s. */
const TIMEOUT_CHECK_MS = 1000;

/**
 * @param {object} [options]
 * @param {{cert: string, key: string} | null} [options.tls] in PEM
 * @param {(socket: Socket) => boolean} [options.isKept] whether a connection is not closed for the sake of others
 * @returns {Server} that does not listen yet, and has no listener for requests
 */
export function limitedServer({ tls = null, isKept } = {}) {
  const limits = {
    maxHeaderSize: MAX_HEAD_BYTES,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
  };
  const server = tls
    ? createSecureServer({ ...limits, ...tls, handshakeTimeout: REQUEST_TIMEOUT_MS })
    : createServer(limits);
  server.setTimeout(REQUEST_TIMEOUT_MS);
  limitConnections(server, isKept);
  return server;
}
