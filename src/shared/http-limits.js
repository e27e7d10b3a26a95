/** What keeps clients from exhausting a server: limits on connections, and one answer for concurrent questions. */

/** @import { Server, Socket } from 'node:net' */

const MAX_CONNECTIONS = 64;

/**
 * A client that opens many connections does not keep others out: where there are too many, the client with the most loses its oldest one, and the newest is served.
 * @param {Server} server of HTTP or HTTPS
 * @param {(socket: Socket) => boolean} [isKept] whether a connection loses to none that is not kept
 */
export function limitConnections(server, isKept = () => false) {
  /** The address of each, the oldest first. @type {Map<Socket, string>} */
  const addresses = new Map();
  server.on('connection', (/** @type {Socket} */ socket) => {
    addresses.set(socket, socket.remoteAddress ?? '');
    socket.on('close', () => addresses.delete(socket));
    if (addresses.size > MAX_CONNECTIONS) oldestOfMost(addresses, isKept)?.destroy();
  });
}

/** @param {Map<Socket, string>} addresses @param {(socket: Socket) => boolean} isKept */
function oldestOfMost(addresses, isKept) {
  const all = [...addresses];
  const others = all.filter(([socket]) => !isKept(socket));
  /** @type {Map<string, Socket[]>} */
  const byAddress = new Map();
  for (const [socket, address] of others.length > 0 ? others : all) {
    byAddress.set(address, [...(byAddress.get(address) ?? []), socket]);
  }
  const [most] = [...byAddress.values()].sort((one, other) => other.length - one.length);
  return most?.[0];
}

/** Concurrent calls share one result. @template T @param {() => Promise<T>} fetch */
export function sharePending(fetch) {
  /** @type {Promise<T> | null} */
  let pending = null;
  return () => {
    pending ??= fetch().finally(() => (pending = null));
    return pending;
  };
}
