/** An HTTP server that a client cannot exhaust: its connections, headers and time are limited. */
import { createServer } from 'node:http';
import { groupBy } from '../shared/groups.js';

/** @import { Socket } from 'node:net' */

const MAX_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MS = 10_000;

/** Does not listen yet. @param {(socket: Socket) => boolean} [isKept] whether a connection is not closed for the sake of others */
export function limitedServer(isKept = () => false) {
  const server = createServer({
    maxHeaderSize: 8192,
    // How often Node checks for requests that have timed out; its default is 30 s.
    connectionsCheckingInterval: 1000,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
  });
  server.setTimeout(REQUEST_TIMEOUT_MS);
  /** The address of each, the oldest first. @type {Map<Socket, string>} */
  const addresses = new Map();
  server.on('connection', (/** @type {Socket} */ socket) => {
    addresses.set(socket, socket.remoteAddress ?? '');
    socket.on('close', () => addresses.delete(socket));
    // The client with the most loses its oldest one.
    if (addresses.size > MAX_CONNECTIONS) oldestOfMost(addresses, isKept)?.destroy();
  });
  return server;
}

/** @param {Map<Socket, string>} addresses @param {(socket: Socket) => boolean} isKept */
function oldestOfMost(addresses, isKept) {
  const all = [...addresses];
  const others = all.filter(([socket]) => !isKept(socket));
  const byAddress = groupBy(others.length > 0 ? others : all, ([, address]) => address);
  const [most] = [...byAddress.values()].sort((one, other) => other.length - one.length);
  return most?.[0][0];
}
