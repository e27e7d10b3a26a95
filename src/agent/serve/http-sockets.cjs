'use strict';
/** The connections of the program's HTTP servers. */

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { TrackedServer } from './servers.cjs'
 */

module.exports = { httpSockets, keepIdleOpen };

/**
 * @typedef {ServerResponse & {
 *   shouldKeepAlive: boolean, _storeHeader?: (firstLine: string, headers: unknown) => void,
 *   req: IncomingMessage}} Response
 * @typedef {Socket & {_httpMessage?: Response | null, parser?: any}} HttpSocket
 */

/**
 * @param {TrackedServer} server
 * @returns {HttpSocket[]} from the list that the HTTP server has (Node 20 to 26); without it, none
 */
function httpSockets(server) {
  const key = Object.getOwnPropertySymbols(server).find(
    (symbol) => symbol.description === 'http.server.connections',
  );
  const parsers = (key && /** @type {any} */ (server)[key]?.all?.()) ?? [];
  return parsers.map((/** @type {any} */ parser) => parser.socket).filter(Boolean);
}

/**
 * Before the event loop is blocked for a while: otherwise Node closes idle connections as soon as it turns
 * again, also those on which a request has arrived meanwhile.
 * @param {Iterable<TrackedServer>} servers
 * @returns {() => void} lets them be closed again; call it when requests have been read
 */
function keepIdleOpen(servers) {
  const releases = [...servers].map((/** @type {any} */ server) => {
    const { keepAliveTimeout } = server;
    // For connections whose responses end before it is blocked.
    if (keepAliveTimeout !== undefined) server.keepAliveTimeout = 0;
    const kept = httpSockets(server).filter(({ timeout = 0 }) => timeout > 0);
    const timeouts = kept.map(({ timeout = 0 }) => timeout);
    for (const socket of kept) socket.setTimeout(0);
    return () => {
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
      kept.forEach((socket, index) => {
        // With a request, the server has set its own.
        if (socket.timeout === 0 && !socket._httpMessage) socket.setTimeout(timeouts[index]);
      });
    };
  });
  return () => releases.forEach((release) => release());
}
