/** The asking side of the protocol. */
import { EventEmitter } from 'node:events';
import net from 'node:net';
import { NodeclusterError } from '../errors/error.js';
import { PROTOCOL_VERSION } from '../shared/version.js';
import { FrameSplitter, decodeFrame, encodeFrame } from './frames.js';

const DEFAULT_TIMEOUT_MS = 5000;

/** @typedef {(method: string, params: Record<string, any>) => void} NotificationListener */

/**
 * @typedef {object} PendingRequest
 * @property {string} method
 * @property {(result: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {NotificationListener | undefined} onNotification
 * @property {NodeJS.Timeout | undefined} timer
 */

/** @typedef {{role: string, version: string, pid: number, protocol: number}} ServerHello */

/**
 * @param {string} socketPath
 * @param {object} options
 * @param {{role: string, version: string}} options.hello who asks
 * @param {number} [options.timeoutMs] for connecting and the greeting together
 * @returns {Promise<Client>}
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE, E_PROTOCOL_TIMEOUT, E_PROTOCOL_VERSION
 */
export async function connect(socketPath, { hello, timeoutMs = DEFAULT_TIMEOUT_MS }) {
  const deadline = performance.now() + timeoutMs;
  const socket = await open(socketPath, timeoutMs);
  const client = new Client(socket);
  try {
    const greeting = { ...hello, protocol: PROTOCOL_VERSION };
    const left = Math.max(1, Math.round(deadline - performance.now()));
    client.peer = await client.request('hello', greeting, { timeoutMs: left });
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}

/**
 * @param {string} socketPath
 * @param {number} timeoutMs
 * @returns {Promise<net.Socket>}
 */
function open(socketPath, timeoutMs) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketPath);
    /** @param {string} reason */
    const fail = (reason) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new NodeclusterError('E_PROTOCOL_UNREACHABLE', { socket: socketPath, reason }));
    };
    const timer = setTimeout(() => fail(`no connection within ${timeoutMs} ms`), timeoutMs);
    socket.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      fail(error.code ?? error.message),
    );
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

/**
 * Events: 'notification' (method, params) for what belongs to no request that waits with a listener
 * of its own, and 'close' (error or undefined).
 */
export class Client extends EventEmitter {
  #socket;
  #nextId = 1;
  /** @type {Map<number, PendingRequest>} */
  #pending = new Map();
  /** @type {NodeclusterError | undefined} */
  #failure;
  /** @type {ServerHello} who answers; set when connect() resolves */
  peer = { role: '', version: '', pid: 0, protocol: 0 };

  /** @param {net.Socket} socket connected */
  constructor(socket) {
    super();
    this.#socket = socket;
    const splitter = new FrameSplitter();
    socket.on('data', (chunk) => this.#read(splitter, chunk));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#closed());
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @param {{onNotification?: NotificationListener, timeoutMs?: number}} [options] without
   *   timeoutMs it waits as long as the connection lives
   * @returns {Promise<any>}
   * @throws {NodeclusterError} what the other side threw, E_PROTOCOL_CLOSED, E_PROTOCOL_TIMEOUT
   */
  request(method, params = {}, { onNotification, timeoutMs } = {}) {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        reject(this.#failure ?? new NodeclusterError('E_PROTOCOL_CLOSED', { method }));
        return;
      }
      const id = this.#nextId++;
      const frame = encodeFrame({ jsonrpc: '2.0', id, method, params });
      const timer = timeoutMs === undefined ? undefined : this.#expire(id, method, timeoutMs);
      this.#pending.set(id, { method, resolve, reject, onNotification, timer });
      this.#socket.write(frame);
    });
  }

  /** Ends the connection; requests that still wait are rejected. */
  close() {
    this.#socket.destroy();
  }

  /** Lets the process end although this connection is open. */
  unref() {
    this.#socket.unref();
  }

  /**
   * @param {number} id
   * @param {string} method
   * @param {number} ms
   */
  #expire(id, method, ms) {
    return setTimeout(() => {
      const error = new NodeclusterError('E_PROTOCOL_TIMEOUT', { what: method, ms });
      this.#take(id)?.reject(error);
    }, ms);
  }

  /**
   * @param {FrameSplitter} splitter
   * @param {Buffer} chunk
   */
  #read(splitter, chunk) {
    let messages;
    try {
      messages = Array.from(splitter.push(chunk), decodeFrame);
    } catch (error) {
      this.#fail(NodeclusterError.from(error));
      return;
    }
    for (const message of messages) this.#receive(message);
  }

  /** @param {Record<string, any>} message */
  #receive({ id, method, params, result, error }) {
    if (typeof method === 'string') this.#notified(method, params ?? {});
    else if (id === null) this.#fail(NodeclusterError.fromJSON(error?.data ?? {}));
    else if (error) this.#take(id)?.reject(NodeclusterError.fromJSON(error.data ?? {}));
    else this.#take(id)?.resolve(result);
  }

  /**
   * @param {string} method
   * @param {Record<string, any>} params
   */
  #notified(method, { requestId, ...params }) {
    const listener = this.#pending.get(requestId)?.onNotification;
    if (listener) listener(method, params);
    else this.emit('notification', method, params);
  }

  /** @param {number} id */
  #take(id) {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(request?.timer);
    return request;
  }

  /**
   * The whole connection is of no more use.
   * @param {NodeclusterError} error
   */
  #fail(error) {
    this.#failure = error;
    this.#socket.destroy();
  }

  #closed() {
    for (const [id, { method, reject }] of this.#pending) {
      this.#take(id);
      reject(this.#failure ?? new NodeclusterError('E_PROTOCOL_CLOSED', { method }));
    }
    this.emit('close', this.#failure);
  }
}
