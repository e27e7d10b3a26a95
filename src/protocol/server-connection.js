/** One client of a server: hello, requests, notifications and limits. */
import { NodeclusterError } from '../errors/error.js';
import { isObject, number, object, string } from '../shared/checks.js';
import { agreedProtocol } from '../shared/version.js';
import { decodeFrame, encodeFrame, frameSplitter } from './frames.js';

/**
 * @import { Socket } from 'node:net'
 * @import { LineSplitter } from '../shared/line-splitter.js'
 * @import { Limits } from './server.js'
 * @import { Handler, Hello, Method, RequestContext, ServerHello } from './wire.js'
 */

/** Also that of a client of another version. */
const helloFault = object({ role: string, version: string, protocol: number, oldest: number });
/** How long a client has to read the last message before its connection is closed. */
const FAREWELL_MS = 1000;

/**
 * @typedef {object} Shared what all connections of a server have in common
 * @property {Record<string, Handler<Method>>} methods
 * @property {ServerHello} hello
 * @property {readonly string[]} core names of the methods that a client of any protocol may use
 * @property {Limits} limits
 */

export class ServerConnection {
  #socket;
  #shared;
  /** @type {Hello | null} */
  #peer = null;
  /** The protocol of a client that understands none of ours. @type {number | null} */
  #foreign = null;
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
    const splitter = frameSplitter(shared.limits.maxFrame);
    const ms = shared.limits.helloTimeoutMs;
    this.#helloTimer = setTimeout(() => {
      this.refuse(new NodeclusterError('E_PROTOCOL_SILENT', { ms }));
    }, ms);
    socket.on('data', (chunk) => this.#read(splitter, chunk));
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

  /** @param {LineSplitter} splitter @param {Buffer} chunk */
  #read(splitter, chunk) {
    try {
      for (const line of splitter.push(chunk)) {
        if (this.#hasEnded) return;
        this.#receive(decodeFrame(line));
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
    if (method !== 'hello' || helloFault(params) !== null) {
      throw new NodeclusterError('E_PROTOCOL_HELLO');
    }
    const { role, version, user, pid, protocol, oldest } = params;
    const { hello } = this.#shared;
    if (agreedProtocol(hello, { protocol, oldest }) === null) this.#foreign = protocol;
    clearTimeout(this.#helloTimer);
    const isPid = Number.isSafeInteger(pid) && pid > 0;
    this.#peer = {
      role,
      version,
      ...(typeof user === 'string' && { user }),
      ...(isPid && { pid }),
    };
    this.#send({ jsonrpc: '2.0', id, result: hello });
  }

  /** @param {string | number} id @param {string} name @param {object} params @param {Hello} peer */
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

  /** @param {string} name @param {Hello} peer */
  #method(name, peer) {
    const { core, hello, limits } = this.#shared;
    if (this.#foreign !== null && !core.includes(name)) {
      const client = { ...peer, protocol: this.#foreign };
      throw new NodeclusterError('E_PROTOCOL_VERSION', { client, server: hello });
    }
    const { maxClients, maxRequests } = limits;
    if (this.#isReserved && !core.includes(name)) {
      throw new NodeclusterError('E_PROTOCOL_CLIENTS', { maxClients, hasReserved: true });
    }
    if (this.#requests > maxRequests) {
      throw new NodeclusterError('E_PROTOCOL_REQUESTS', { maxRequests });
    }
    const { methods } = this.#shared;
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
    this.#socket.write(encodeFrame(message, this.#shared.limits.maxFrame));
    if (this.#socket.writableLength > this.#shared.limits.maxUnsent) this.#socket.destroy();
  }
}

/** JSON-RPC requires a number as the code. @param {NodeclusterError} error */
function wireError(error) {
  return { code: -32000, message: error.message, data: error.toJSON() };
}
