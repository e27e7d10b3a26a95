'use strict';
/** Closes the inspector of Node, which the primary opens with SIGUSR1 while the event loop is blocked; takes profiles. */
const { onMessage, send } = require('../../agent/channel.cjs');
const { setImmediate } = require('../../agent/guard.cjs');

/** @import { CountedServers } from '../../agent/telemetry.cjs' */

const MAX_PEERS = 10;

/** @param {CountedServers | null} servers null: they are not known */
function start(servers) {
  onMessage('inspection', () => send('inspection', { ...facts(), peers: peersNow() }));
  onMessage('profile', (order) =>
    require('./agent-profile.cjs').begin(order, servers?.listening ?? []),
  );
  onMessage('end-profile', (order) => require('./agent-profile.cjs').end(order));
  // When the event loop turns again, Node opens the inspector once more for the same SIGUSR1.
  onMessage('close-inspector', () => setImmediate(close));
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

/** `payments:443 ×3`. Idle connections of HTTP clients are not among them. @param {any[]} handles @param {any[]} requests */
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
