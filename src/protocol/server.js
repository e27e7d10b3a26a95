/** The server side of the protocol: a unix socket, with limits on all that a client can do. */
import net from 'node:net';
import { NodeclusterError } from '../errors/error.js';
import {
  isObject,
  number,
  numberOf,
  object,
  optional,
  string,
  stringOf,
  withoutOthers,
} from '../shared/checks.js';
import { listenAt } from '../shared/unix-socket.js';
import { CORE_METHODS, OWN_VERSIONS, agreedProtocol } from '../shared/version.js';
import { encodeFrame, frameReader } from './frames.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Listener } from '../shared/unix-socket.js'
 * @import { Handler, Handlers, Hello, Method, Methods, OwnHello, ProtocolRange, RequestContext, ServerHello } from './wire.js'
 *
 * @typedef {Awaited<ReturnType<typeof serve>>} ProtocolServer
 */

const MAX_CLIENTS = 64;
/** Of one client at a time. */
const MAX_REQUESTS = 64;
const HELLO_MS = 5000;
/** Unread bytes after which a client is disconnected. */
const MAX_UNSENT = 8 * 1024 * 1024;
/** Places beyond these for clients that use core methods only, when all others are busy. */
const RESERVED = 16;
/** How many clients beyond those get an error; further ones are just disconnected. */
const REFUSALS = 16;

/**
 * @template {Methods} M
 * @param {string} socketPath
 * @param {object} options
 * @param {Handlers<M>} options.methods
 * @param {OwnHello} options.hello who replies
 * @returns when clients can connect
 * @throws {NodeclusterError} E_PROTOCOL_SOCKET, also when another process answers at that path
 */
export async function serve(socketPath, { methods, hello }) {
  /** @type {Set<ServerConnection>} */
  const connections = new Set();
  const shared = {
    /** More may come. */
    methods: /** @type {Record<string, Handler<Method>>} */ (methods),
    hello: { ...OWN_VERSIONS, ...hello, pid: process.pid },
    core: CORE_METHODS[hello.role] ?? [],
  };
  const accept = (/** @type {Socket} */ socket) => {
    if (connections.size >= MAX_CLIENTS) makeRoom(connections);
    const connection = new ServerConnection(socket, shared, connections.size >= MAX_CLIENTS);
    if (connections.size >= MAX_CLIENTS + RESERVED) return connection.refuse(tooManyClients());
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  };
  const listen = () => {
    const server = net.createServer(accept);
    server.maxConnections = MAX_CLIENTS + RESERVED + REFUSALS;
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
  /** Closes every connection and removes the socket. @returns {Promise<void>} */
  const close = () =>
    new Promise((resolve) => {
      isClosed = true;
      listener.removeFile();
      listener.server.close(() => resolve());
      for (const connection of connections) connection.end();
    });
  return {
    /** @returns {Promise<boolean>} false: its path no longer leads to it */
    isReachable: () => listener.isReachable(),
    /** At the same path; connections stay open. @throws {NodeclusterError} E_PROTOCOL_SOCKET: nothing has changed */
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

/** @param {Set<ServerConnection>} connections */
function makeRoom(connections) {
  // Idle clients must not lock out others: the one that has been idle the longest is disconnected.
  const idle = [...connections].filter(({ isIdle }) => isIdle);
  if (idle.length === 0) return;
  const oldest = idle.reduce((one, other) => (other.activeMs < one.activeMs ? other : one));
  connections.delete(oldest);
  oldest.refuse(tooManyClients());
}

/** @param {boolean} [hasReserved] places for core methods */
function tooManyClients(hasReserved) {
  return new NodeclusterError('E_PROTOCOL_CLIENTS', { maxClients: MAX_CLIENTS, hasReserved });
}

/** Of either side, also of another version. */
export const checkHello = object({
  role: stringOf({ maxLength: 256 }),
  version: stringOf({ maxLength: 256 }),
  protocol: number,
  oldest: number,
  user: optional(string),
  pid: optional(numberOf({ integer: true, minimum: 1 })),
});
/** How long a client has to read the last message before its connection is closed. */
const FAREWELL_MS = 1000;

/**
 * What all connections of a server have in common; core: the methods that a client of any protocol may use.
 * @typedef {{methods: Record<string, Handler<Method>>, hello: ServerHello, core: readonly string[]}} Shared
 */

class ServerConnection {
  #socket;
  #shared;
  /** @type {(Hello & ProtocolRange) | null} */
  #peer = null;
  #requests = 0;
  /** When it connected, or sent its last request. */
  activeMs = performance.now();
  #hasEnded = false;
  /** @type {Set<() => void>} */
  #closeListeners = new Set();
  #helloTimer;
  #isReserved;

  /** @param {Socket} socket @param {Shared} shared @param {boolean} isReserved for core methods */
  constructor(socket, shared, isReserved) {
    this.#socket = socket;
    this.#shared = shared;
    this.#isReserved = isReserved;
    const read = frameReader();
    this.#helloTimer = setTimeout(() => {
      const reason = `no hello within ${HELLO_MS} ms`;
      this.refuse(new NodeclusterError('E_PROTOCOL_FRAME', { reason }));
    }, HELLO_MS);
    socket.on('data', (chunk) => this.#read(read(chunk)));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#closed());
  }

  /** Whether it has neither a request in progress nor a subscription. */
  get isIdle() {
    return this.#requests === 0 && this.#closeListeners.size === 0;
  }

  /** Sends the error and closes the connection. @param {NodeclusterError} error */
  refuse(error) {
    this.#send({ jsonrpc: '2.0', id: null, error: wireError(error) });
    this.end();
  }

  /** Closes the connection, after a moment for the client to read what was written. */
  end() {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#helloTimer);
    this.#socket.removeAllListeners('data').resume().end();
    const timer = setTimeout(() => this.#socket.destroy(), FAREWELL_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  /** @param {Iterable<Record<string, unknown>>} messages */
  #read(messages) {
    try {
      for (const message of messages) {
        if (this.#hasEnded) return;
        this.#receive(message);
      }
    } catch (error) {
      this.refuse(NodeclusterError.from(error));
    }
  }

  /** @param {{id?: unknown, method?: unknown, params?: unknown}} message */
  #receive({ id, method, params = {} }) {
    const hasValidId = typeof id === 'number' || typeof id === 'string';
    if (!hasValidId || typeof method !== 'string' || !isObject(params)) {
      throw new NodeclusterError('E_PROTOCOL_FRAME', {
        reason: 'not a request with id and method',
      });
    }
    if (this.#peer === null) this.#welcome(id, method, params);
    else this.#call(id, method, params, this.#peer);
  }

  /** @param {number | string} id @param {string} method @param {Record<string, any>} params */
  #welcome(id, method, params) {
    if (method !== 'hello' || checkHello(params) !== null) {
      throw new NodeclusterError('E_PROTOCOL_FRAME', {
        reason: 'the first must be a hello with role, version, protocol and oldest',
      });
    }
    clearTimeout(this.#helloTimer);
    this.#peer = withoutOthers(/** @type {Hello & ProtocolRange} */ (params), checkHello);
    this.#send({ jsonrpc: '2.0', id, result: this.#shared.hello });
  }

  /** @param {string | number} id @param {string} name @param {object} params @param {Hello & ProtocolRange} peer */
  async #call(id, name, params, peer) {
    /** @type {RequestContext<Record<string, object>>} */
    const ctx = {
      peer,
      notify: (method, payload) => {
        this.#sendOrClose({ jsonrpc: '2.0', method, params: { ...payload, requestId: id } });
      },
      unreadBytes: () => this.#socket.writableLength,
      onClose: (listener) => {
        if (this.#socket.destroyed) queueMicrotask(listener);
        else this.#closeListeners.add(listener);
      },
    };
    this.#requests += 1;
    this.activeMs = performance.now();
    try {
      const result = await this.#method(name, peer)(params, ctx);
      this.#send({ jsonrpc: '2.0', id, result: result ?? null });
    } catch (error) {
      this.#sendOrClose({ jsonrpc: '2.0', id, error: wireError(NodeclusterError.from(error)) });
    } finally {
      this.#requests -= 1;
    }
  }

  /** @param {string} name @param {Hello & ProtocolRange} peer */
  #method(name, peer) {
    const { core, hello, methods } = this.#shared;
    const isCore = core.includes(name);
    if (!isCore && agreedProtocol(hello, peer) === null)
      throw new NodeclusterError('E_PROTOCOL_VERSION', { client: peer, server: hello });
    if (!isCore && this.#isReserved) throw tooManyClients(true);
    if (this.#requests > MAX_REQUESTS) {
      throw new NodeclusterError('E_PROTOCOL_REQUESTS', { maxRequests: MAX_REQUESTS });
    }
    if (Object.hasOwn(methods, name)) return methods[name];
    throw new NodeclusterError('E_PROTOCOL_METHOD', { method: name.slice(0, 64) });
  }

  #closed() {
    this.#hasEnded = true;
    clearTimeout(this.#helloTimer);
    for (const listener of this.#closeListeners) listener();
    this.#closeListeners.clear();
  }

  /** If a message cannot be sent, only this client's connection is closed. @param {object} message */
  #sendOrClose(message) {
    try {
      this.#send(message);
    } catch (error) {
      this.refuse(NodeclusterError.from(error));
    }
  }

  /** @param {object} message @throws {NodeclusterError} E_PROTOCOL_FRAME_SIZE */
  #send(message) {
    if (this.#hasEnded || this.#socket.destroyed) return;
    this.#socket.write(encodeFrame(message));
    if (this.#socket.writableLength > MAX_UNSENT) this.#socket.destroy();
  }
}

/** JSON-RPC requires a number as the code. @param {NodeclusterError} error */
function wireError(error) {
  return { code: -32000, message: error.message, data: error.toJSON() };
}
