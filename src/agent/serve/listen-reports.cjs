'use strict';
/** Reports to the primary what each server of the program listens on, or why it cannot. */
const { errorMonitor } = require('node:events');
const { send } = require('../channel.cjs');
const { isPrivate } = require('./private-server.cjs');

/**
 * @import { EventEmitter } from 'node:events'
 * @import { Server } from 'node:net'
 */

module.exports = { reportListening, protocolOf };

const known = new WeakSet();

/** @param {Server} server that is about to listen */
function reportListening(server) {
  if (known.has(server)) return;
  known.add(server);
  /** @type {EventEmitter} */
  const events = server;
  let name = '';
  events.on('listening', () => {
    if (isPrivate(server)) return;
    name = formatAddress(server.address());
    send('listening', { name, protocol: protocolOf(server) });
  });
  events.on('close', () => {
    if (name !== '') send('closed', { name });
    name = '';
  });
  // Not 'error': with a listener, EADDRINUSE would no longer crash the program.
  events.on(errorMonitor, ({ syscall, code, address = null, port = null }) => {
    if (syscall !== 'listen' && syscall !== 'bind') return;
    send('fault', { code, address, port, isHandled: events.listenerCount('error') > 0 });
  });
}

/** @param {ReturnType<Server['address']>} address */
function formatAddress(address) {
  if (address === null || typeof address === 'string') return address ?? '';
  const { address: host, port } = address;
  if (host === '::' || host === '0.0.0.0') return `*:${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Known from its methods, because node:http and node:https may not be loaded.
 * @param {Server} server
 * @returns {'http' | 'https' | null}
 */
function protocolOf(server) {
  const isHttp = 'closeIdleConnections' in server || 'updateSettings' in server;
  if (!isHttp) return null;
  return 'setSecureContext' in server ? 'https' : 'http';
}
