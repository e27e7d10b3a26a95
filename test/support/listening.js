/** Servers in the process of a test. */
import { eventOf } from './until.js';

/** @import { ListenOptions, Server } from 'node:net' */

/**
 * @param {{teardown: (fn: () => unknown) => void}} t a tap test, at whose end the server is closed
 * @param {Server & {closeAllConnections?: () => void}} server
 * @param {ListenOptions | string} [where]
 * @returns {Promise<number>} its port
 */
export async function listening(t, server, where = { port: 0, host: '127.0.0.1' }) {
  t.teardown(() => {
    server.close();
    server.closeAllConnections?.();
  });
  server.listen(where);
  await eventOf(server, 'listening');
  return /** @type {any} */ (server.address()).port;
}
