/** @import { Server, Socket } from 'node:net' */

const MAX_CONNECTIONS = 64;

/**
 * The newest connection is served: if it were the one that is refused, a client that holds many could
 * make a probe fail.
 * @param {Server} server
 */
export function limitConnections(server) {
  /** @type {Set<Socket>} the oldest first */
  const sockets = new Set();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (sockets.size > MAX_CONNECTIONS) sockets.values().next().value?.destroy();
  });
}
