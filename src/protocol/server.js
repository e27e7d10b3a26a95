/** The server side of the protocol: a unix socket, with limits on all that a client can do. */
import net from 'node:net';
import { lstatSync, unlinkSync } from 'node:fs';
import { NodeclusterError } from '../errors/error.js';
import { CORE_METHODS, OLDEST_PROTOCOL, PROTOCOL_VERSION } from '../shared/version.js';
import { ServerConnection } from './server-connection.js';
import { MAX_FRAME } from './frames.js';

/** @import { Handler, Handlers, Hello, Method, Methods } from './wire.js' */

/**
 * @typedef {object} Limits
 * @property {number} maxFrame bytes of one message
 * @property {number} maxClients
 * @property {number} maxRequests of one client at a time
 * @property {number} helloTimeoutMs
 * @property {number} maxUnsent unread bytes after which a client is disconnected
 */

/** @type {Limits} */
const DEFAULT_LIMITS = {
  maxFrame: MAX_FRAME,
  maxClients: 64,
  maxRequests: 64,
  helloTimeoutMs: 5000,
  maxUnsent: 8 * 1024 * 1024,
};

/** How many clients beyond `maxClients` get an error; further ones are just disconnected. */
const REFUSALS = 16;

/** In bytes; the limit of macOS. Node 20 silently truncates a longer path. */
const MAX_PATH = 103;

/**
 * @typedef {object} ProtocolServer
 * @property {() => Promise<void>} close closes every connection and removes the socket
 */

/**
 * @template {Methods} M
 * @param {string} socketPath
 * @param {object} options
 * @param {Handlers<M>} options.methods
 * @param {Hello} options.hello who replies
 * @param {boolean} [options.replaceStale] removes an existing socket; the caller must know that no
 *   process listens on it
 * @param {Partial<Limits>} [options.limits]
 * @returns {Promise<ProtocolServer>} resolves when clients can connect
 * @throws {NodeclusterError} E_PROTOCOL_SOCKET
 */
export async function serve(socketPath, { methods, hello, replaceStale = false, limits = {} }) {
  /** @type {Set<ServerConnection>} */
  const connections = new Set();
  const shared = {
    methods: /** @type {Map<string, Handler<Method>>} */ (new Map(Object.entries(methods))),
    hello: {
      ...hello,
      pid: process.pid,
      protocol: PROTOCOL_VERSION,
      oldest: OLDEST_PROTOCOL,
    },
    core: CORE_METHODS[hello.role] ?? [],
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
  const server = net.createServer((socket) => {
    const connection = new ServerConnection(socket, shared);
    const { maxClients } = shared.limits;
    if (connections.size >= maxClients) {
      connection.refuse(new NodeclusterError('E_PROTOCOL_CLIENTS', { maxClients }));
      return;
    }
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  });
  server.maxConnections = shared.limits.maxClients + REFUSALS;
  if (Buffer.byteLength(socketPath) > MAX_PATH) {
    throw new NodeclusterError('E_PROTOCOL_SOCKET', { socket: socketPath, reason: 'ENAMETOOLONG' });
  }
  if (replaceStale) removeSocket(socketPath);
  await listen(server, socketPath);
  return { close: () => close(server, connections) };
}

/** @param {string} socketPath */
function removeSocket(socketPath) {
  const found = lstatSync(socketPath, { throwIfNoEntry: false });
  if (found?.isSocket()) unlinkSync(socketPath);
}

/** @param {net.Server} server @param {string} socketPath @returns {Promise<void>} */
function listen(server, socketPath) {
  return new Promise((resolve, reject) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      reject(new NodeclusterError('E_PROTOCOL_SOCKET', { socket: socketPath, reason: error.code })),
    );
    // listen() binds the socket at once, so with this umask its mode is 0600 from the beginning.
    const before = process.umask(0o177);
    try {
      server.listen(socketPath, () => {
        server.removeAllListeners('error');
        server.on('error', ignoreAcceptError);
        resolve();
      });
    } finally {
      process.umask(before);
    }
  });
}

/** A failed accept (EMFILE) affects one client; the next accept may succeed. */
function ignoreAcceptError() {}

/**
 * @param {net.Server} server
 * @param {Set<ServerConnection>} connections
 * @returns {Promise<void>}
 */
function close(server, connections) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const connection of connections) connection.end();
  });
}
