'use strict';
/** Asks the program's own HTTP server whether it is healthy, when the primary says so. */
/** The program may replace the globals. */
const { clearTimeout, setTimeout } = require('node:timers');
const { onMessage, send } = require('../../agent/channel.cjs');
const { protocolOf } = require('../../agent/listening.cjs');
const { acceptUntracked } = require('../../agent/servers.cjs');
const { newCheckConnection } = require('../../agent/check-socket.cjs');
const { askOverHttp } = require('./agent/over-http.cjs');
const { askOverHttp2 } = require('./agent/over-http2.cjs');

/**
 * @import { Server } from 'node:net'
 * @import { AgentFeature } from '../agent.cjs'
 * @import { Servers } from '../../agent/servers.cjs'
 */

module.exports = { start };

/**
 * @typedef {object} Order
 * @property {string} path with its query
 * @property {string} host of the header
 * @property {number | null} port of the server; null: the first one that listens
 * @property {number} timeoutMs
 *
 * @typedef {{status: number, body: string} | {error: string}} Answer
 */

/** @type {AgentFeature['start']} */
function start(servers) {
  if (servers === null) return;
  onMessage('health', (message) => {
    ask(servers, /** @type {Order} */ (message), (answer) => send('health', answer));
  });
}

/** @param {Servers} servers @param {Order} order @param {(answer: Answer) => void} reply */
function ask(servers, order, reply) {
  const server = findServer(servers, order.port);
  if (!server) return reply({ error: describeMissing(order.port) });
  const isEncrypted = 'setSecureContext' in server;
  const isHttp2 = 'updateSettings' in server;
  const facts = { isEncrypted, isHttp2, port: portOf(server) };
  const { client, server: accepted } = newCheckConnection(facts);
  // If the program keeps the response open, the check has still ended.
  const timer = setTimeout(() => finish({ error: 'timeout' }), order.timeoutMs);
  timer.unref();
  let isAnswered = false;
  const finish = (/** @type {Answer} */ answer) => {
    if (!isAnswered) reply(answer);
    isAnswered = true;
    if ('error' in answer) client.destroy();
  };
  client.once('close', () => {
    clearTimeout(timer);
    finish({ error: 'closed' });
  });
  try {
    acceptUntracked(() => server.emit(isEncrypted ? 'secureConnection' : 'connection', accepted));
    if (isHttp2) askOverHttp2(client, order, isEncrypted, finish);
    else askOverHttp(client, order, finish);
  } catch (error) {
    // Listeners of the program for new connections have run.
    finish({ error: String(error) });
  }
}

/** @param {Servers} servers @param {number | null} port */
function findServer({ listening }, port) {
  return [...listening].find(
    (server) => protocolOf(server) !== null && (port === null || portOf(server) === port),
  );
}

/** @param {number | null} port */
function describeMissing(port) {
  return port === null ? 'no HTTP server listens' : `no HTTP server listens on port ${port}`;
}

/** @param {Server} server @returns {number} 0: a unix socket */
function portOf(server) {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
