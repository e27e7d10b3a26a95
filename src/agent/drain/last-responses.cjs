'use strict';
/**
 * Makes every response from now on the last of its connection (`Connection: close`), so that the
 * client's next request goes to another worker. Idle connections stay open: a request may be on
 * its way, and a reset would lose it (nginx does the same while it shuts down).
 */
const diagnostics = require('node:diagnostics_channel');
const { httpSockets } = require('../serve/http-sockets.cjs');
const { lingerOnClose } = require('./lingering-close.cjs');

/**
 * @import { HttpSocket, Response } from '../serve/http-sockets.cjs'
 * @import { TrackedServer } from '../serve/servers.cjs'
 */

module.exports = { closeAfterResponses };

/** @type {WeakMap<HttpSocket, Response>} */
const newest = new WeakMap();

/** @param {Iterable<TrackedServer>} servers */
function closeAfterResponses(servers) {
  diagnostics.subscribe('http.server.request.start', (message) => {
    const { response, socket } = /** @type {{response: Response, socket: HttpSocket}} */ (message);
    const earlier = newest.get(socket);
    // With pipelining, a response that says close discards those behind it: only the newest may.
    if (earlier && !earlier.headersSent) earlier.shouldKeepAlive = true;
    markLast(response, socket);
  });
  for (const server of servers) {
    for (const socket of httpSockets(server)) markCurrent(socket);
  }
}

/** @param {HttpSocket} socket with a request that began before the drain */
function markCurrent(socket) {
  const response = socket._httpMessage;
  if (!response || newest.has(socket)) return;
  const isNewest = !socket.parser?.incoming || socket.parser.incoming === response.req;
  if (!isNewest) response.once('finish', () => markCurrent(socket));
  else if (!response.headersSent) markLast(response, socket);
}

/** @param {Response} response @param {HttpSocket} socket */
function markLast(response, socket) {
  if (!newest.has(socket)) lingerOnClose(socket);
  newest.set(socket, response);
  response.shouldKeepAlive = false;
  const store = response._storeHeader;
  if (typeof store !== 'function') return;
  // `Connection: keep-alive` set by the program would overrule shouldKeepAlive.
  response._storeHeader = function (firstLine, headers) {
    const isLast = newest.get(socket) === response;
    return store.call(this, firstLine, isLast ? withoutKeepAlive(response, headers) : headers);
  };
}

/**
 * @param {Response} response
 * @param {unknown} headers of writeHead: pairs, a flat list or an object. After setHeader it is
 *   Node's own store, which must be passed on unchanged
 * @returns {unknown}
 */
function withoutKeepAlive(response, headers) {
  if (isKeepAlive('connection', response.getHeader('connection'))) {
    response.setHeader('Connection', 'close');
  }
  if (!headers || typeof headers !== 'object' || response.getHeaderNames().length > 0) {
    return headers;
  }
  if (!Array.isArray(headers)) {
    return Object.fromEntries(Object.entries(headers).filter((pair) => !isKeepAlive(...pair)));
  }
  if (Array.isArray(headers[0]))
    return headers.filter(([name, value]) => !isKeepAlive(name, value));
  const isFlatKeepAlive = (/** @type {number} */ at) => isKeepAlive(headers[at], headers[at + 1]);
  return headers.filter((_, index) => !isFlatKeepAlive(index - (index % 2)));
}

/** @param {unknown} name @param {unknown} value */
function isKeepAlive(name, value) {
  return /^connection$/i.test(String(name)) && /^keep-alive$/i.test(String(value).trim());
}
