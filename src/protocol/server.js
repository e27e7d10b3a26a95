/** The server side of the protocol: a unix socket, with limits on all that a client can do. */
import net from 'node:net';
import { NodeclusterError } from '../errors/error.js';
import { CORE_METHODS, OWN_VERSIONS } from '../shared/version.js';
import { ServerConnection } from './server-connection.js';
import { MAX_FRAME } from './frames.js';
import { listenAt } from '../shared/unix-socket.js';

/**
 * @import { Listener } from '../shared/unix-socket.js'
 * @import { Handler, Handlers, Method, Methods, OwnHello } from './wire.js'
 */

/** @typedef {typeof DEFAULT_LIMITS} Limits */

const DEFAULT_LIMITS = {
  /** Bytes of one message. */
  maxFrame: MAX_FRAME,
  maxClients: 64,
  /** Of one client at a time. */
  maxRequests: 64,
  helloTimeoutMs: 5000,
  /** Unread bytes after which a client is disconnected. */
  maxUnsent: 8 * 1024 * 1024,
};

/** Places beyond `maxClients` for clients that use core methods only, when all others are busy. */
const RESERVED = 16;
/** How many clients beyond those get an error; further ones are just disconnected. */
const REFUSALS = 16;

/**
 * @typedef {object} ProtocolServer
 * @property {() => Promise<boolean>} isReachable false: its path no longer leads to it
 * @property {() => Promise<void>} listenAgain at the same path; connections stay open. Throws
 *   E_PROTOCOL_SOCKET, and then nothing has changed
 * @property {() => Promise<void>} close closes every connection and removes the socket
 */

/**
 * @template {Methods} M
 * @param {string} socketPath
 * @param {object} options
 * @param {Handlers<M>} options.methods
 * @param {OwnHello} options.hello who replies
 * @param {Partial<Limits>} [options.limits]
 * @returns {Promise<ProtocolServer>} resolves when clients can connect
 * @throws {NodeclusterError} E_PROTOCOL_SOCKET, also when another process answers at that path
 */
export async function serve(socketPath, { methods, hello, limits = {} }) {
  /** @type {Set<ServerConnection>} */
  const connections = new Set();
  const shared = {
    /** More may come. */
    methods: /** @type {Record<string, Handler<Method>>} */ (methods),
    hello: { ...OWN_VERSIONS, ...hello, pid: process.pid },
    core: CORE_METHODS[hello.role] ?? [],
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
  const accept = (/** @type {net.Socket} */ socket) => {
    const { maxClients } = shared.limits;
    if (connections.size >= maxClients) makeRoom(connections, maxClients);
    const connection = new ServerConnection(socket, shared, connections.size >= maxClients);
    if (connections.size >= maxClients + RESERVED) {
      connection.refuse(new NodeclusterError('E_PROTOCOL_CLIENTS', { maxClients }));
      return;
    }
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  };
  const listen = () => {
    const server = net.createServer(accept);
    server.maxConnections = shared.limits.maxClients + RESERVED + REFUSALS;
    return listenAt(socketPath, server);
  };
  return serverAt(socketPath, connections, await listen(), listen);
}

/**
 * @param {string} socketPath
 * @param {Set<ServerConnection>} connections
 * @param {Listener} listener
 * @param {() => Promise<Listener>} listen at the same path
 */
function serverAt(socketPath, connections, listener, listen) {
  let isClosed = false;
  /** @returns {Promise<void>} */
  const close = () =>
    new Promise((resolve) => {
      isClosed = true;
      listener.removeFile();
      listener.server.close(() => resolve());
      for (const connection of connections) connection.end();
    });
  return {
    isReachable: () => listener.isReachable(),
    async listenAgain() {
      const lost = listener;
      if (!isClosed) listener = await listen();
      if (isClosed) {
        // Its socket would outlive it.
        await close();
        throw new NodeclusterError('E_PROTOCOL_SOCKET', { socket: socketPath, reason: 'closed' });
      }
      lost.server.close();
    },
    close,
  };
}

/** @param {Set<ServerConnection>} connections @param {number} maxClients */
function makeRoom(connections, maxClients) {
  // Idle clients must not lock out others: the one that has been idle the longest is disconnected.
  const idle = [...connections].filter(({ isIdle }) => isIdle);
  if (idle.length === 0) return;
  const oldest = idle.reduce((one, other) => (other.activeMs < one.activeMs ? other : one));
  connections.delete(oldest);
  oldest.refuse(new NodeclusterError('E_PROTOCOL_CLIENTS', { maxClients }));
}
