'use strict';
/**
 * Opens the inspector of Node when the primary asks for it, and closes it afterwards. A worker whose event
 * loop is blocked reads no request: the primary opens its inspector with SIGUSR1, unless the program
 * handles that signal itself.
 */
const { onMessage, send } = require('../../agent/channel.cjs');
const { setImmediate } = require('../../agent/guard.cjs');
const { httpSockets } = require('../../agent/http-sockets.cjs');

/**
 * @import { TrackedServer } from '../../agent/servers.cjs'
 * @import { AgentFeature } from '../agent.cjs'
 */

const MAX_PEERS = 10;

/** @type {AgentFeature['start']} */
function start(servers) {
  let release = () => {};
  onMessage('inspection', () => send('inspection', { ...facts(), peers: peersNow() }));
  onMessage('open-inspector', ({ blocks }) => {
    if (blocks) release = keepIdleOpen(servers?.listening ?? []);
    send('open-inspector', open());
  });
  // When the event loop turns again, Node opens the inspector once more for the same SIGUSR1.
  onMessage('close-inspector', () =>
    setImmediate(() => {
      release();
      release = () => {};
      close();
    }),
  );
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

function open() {
  try {
    const inspector = require('node:inspector');
    const url = inspector.url();
    if (url !== undefined) return { url, wasOpen: true };
    inspector.open(0, '127.0.0.1');
    return { url: inspector.url(), wasOpen: false };
  } catch (error) {
    return { error: String(/** @type {Error} */ (error).message) };
  }
}

function close() {
  const inspector = require('node:inspector');
  if (inspector.url() !== undefined) inspector.close();
  // Node has noted the port that the kernel chose; another process may have it the next time.
  process.debugPort = 0;
  send('close-inspector');
}

/** @returns {{ownsSignal: boolean}} whether SIGUSR1 would reach the program instead of Node */
function facts() {
  return { ownsSignal: process.listenerCount('SIGUSR1') > 0 };
}

function peersNow() {
  try {
    const { _getActiveHandles: handles, _getActiveRequests: requests } = /** @type {any} */ (
      process
    );
    return peersOf(handles.call(process), requests.call(process));
  } catch {
    // Both exist on Node 20 to 26, and a program can put anything into their place.
    return [];
  }
}

/**
 * Whom the program may wait for. HTTP clients, `fetch` among them, let no connection without a request keep the process
 * alive, so these are not among its handles.
 * @param {any[]} handles that keep it alive
 * @param {any[]} requests to the system
 * @returns {string[]} `payments:443 ×3`, the most frequent first
 */
function peersOf(handles, requests) {
  const connected = handles.flatMap(({ server, _host: host, remoteAddress, remotePort }) =>
    server || remotePort === undefined ? [] : [`${host ?? remoteAddress}:${remotePort}`],
  );
  const connecting = requests.flatMap(({ address, port }) =>
    address && port ? [`${address}:${port} (connecting)`] : [],
  );
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const peer of [...connected, ...connecting]) counts.set(peer, (counts.get(peer) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_PEERS)
    .map(([peer, count]) => (count === 1 ? peer : `${peer} ×${count}`));
}

module.exports = { facts, start, peersOf };
