/** The client side of the protocol. */
import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { NodeclusterError } from '../errors/error.js';
import { monotonicMs, within } from '../shared/deadline.js';
import { OWN_VERSIONS } from '../shared/version.js';
import { encodeFrame, frameReader } from './frames.js';
import { withShortPath } from '../shared/unix-socket.js';

/**
 * @import { Methods, NotificationListener, OwnHello, ServerHello } from './wire.js'
 */

/**
 * @typedef {object} PendingRequest
 * @property {string} method
 * @property {(result: unknown) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {((name: any, payload: any) => void) | undefined} onNotification
 * @property {NodeJS.Timeout | undefined} timer
 *
 * @typedef {{bytesPerSecond: number, burst: number}} Rate burst: bytes that may come at once after a pause
 */

/** @param {unknown} thrown by connect() @returns {boolean} whether nobody listens there; otherwise it is unknown */
export function isAbsence(thrown) {
  const { code, data } = NodeclusterError.from(thrown);
  return code === 'E_PROTOCOL_UNREACHABLE' && ['ENOENT', 'ECONNREFUSED'].includes(data.reason);
}

/**
 * @template {Methods} M
 * @param {string} socketPath
 * @param {object} options
 * @param {OwnHello} options.hello who connects
 * @param {number} [options.timeoutMs] for connecting and the hello together
 * @param {Rate} [options.rate] at which a server that is not trusted may send
 * @returns {Promise<Client<M>>}
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE, E_PROTOCOL_TIMEOUT
 */
export async function connect(socketPath, { hello, timeoutMs = 5000, rate }) {
  const deadline = monotonicMs() + timeoutMs;
  const socket = await open(socketPath, timeoutMs);
  if (rate) limitRate(socket, rate);
  /** @type {Client<any>} */
  const client = new Client(socket);
  try {
    const params = { ...OWN_VERSIONS, pid: process.pid, ...hello };
    const leftMs = Math.max(1, Math.round(deadline - monotonicMs()));
    client.peer = await client.request('hello', params, { timeoutMs: leftMs });
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}

/** @param {string} socketPath @param {number} timeoutMs */
async function open(socketPath, timeoutMs) {
  /** @type {net.Socket | undefined} */
  let socket;
  try {
    socket = withShortPath(socketPath, (reachable) => net.connect(reachable));
    if (await within(once(socket, 'connect'), timeoutMs)) return socket;
    throw new Error(`no connection within ${timeoutMs} ms`);
  } catch (error) {
    socket?.destroy();
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const reason = code ?? message;
    throw new NodeclusterError('E_PROTOCOL_UNREACHABLE', { socket: socketPath, reason }, error);
  }
}

/** A server that sends faster has to wait. @param {net.Socket} socket @param {Rate} rate */
function limitRate(socket, { bytesPerSecond, burst }) {
  let allowance = burst;
  let lastMs = performance.now();
  socket.on('data', (chunk) => {
    const nowMs = performance.now();
    const earned = ((nowMs - lastMs) / 1000) * bytesPerSecond;
    allowance = Math.min(burst, allowance + earned) - chunk.length;
    lastMs = nowMs;
    if (allowance >= 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), (-allowance / bytesPerSecond) * 1000);
  });
}

/**
 * Events: 'notification' (name, payload), if it arrives after the result of its request, 'heard' after each chunk, and
 * 'close' (error or undefined).
 * @template {Methods} M
 */
export class Client extends EventEmitter {
  #socket;
  #nextId = 1;
  /** @type {Map<number, PendingRequest>} */
  #pending = new Map();
  /** @type {NodeclusterError | undefined} */
  #failure;
  /** @type {ServerHello} set when connect() resolves */
  peer = { role: '', version: '', pid: 0, protocol: 0, oldest: 0 };
  #sentMs = -Infinity;
  #heardMs = -Infinity;

  /** @param {net.Socket} socket connected */
  constructor(socket) {
    super();
    this.#socket = socket;
    const read = frameReader();
    socket.on('data', (chunk) => this.#read(read(chunk)));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#closed());
  }

  /**
   * @template {keyof M & string} K
   * @param {K} method
   * @param {M[K]['params']} params
   * @param {object} [options]
   * @param {NotificationListener<M[K]['notifications']>} [options.onNotification]
   * @param {number} [options.timeoutMs] unlimited by default, while the connection lasts
   * @returns {Promise<M[K]['result']>}
   * @throws {NodeclusterError} the server's error, E_PROTOCOL_CLOSED, E_PROTOCOL_TIMEOUT
   */
  request(method, params, { onNotification, timeoutMs } = {}) {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        reject(this.#failure ?? new NodeclusterError('E_PROTOCOL_CLOSED', { method }));
        return;
      }
      const id = this.#nextId++;
      const frame = encodeFrame({ jsonrpc: '2.0', id, method, params });
      const giveUp = () => {
        const data = { what: method, ms: timeoutMs };
        this.#take(id)?.reject(new NodeclusterError('E_PROTOCOL_TIMEOUT', data));
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      this.#pending.set(id, { method, resolve, reject, onNotification, timer });
      this.#socket.write(frame);
      this.#sentMs = performance.now();
    });
  }

  /** ms since frames last went both ways. */
  get quietMs() {
    return performance.now() - Math.min(this.#sentMs, this.#heardMs);
  }

  /** Whether it was closed here. */
  get isClosed() {
    return this.#socket.destroyed;
  }

  /** Closes the connection; pending requests are rejected. */
  close() {
    this.#socket.destroy();
  }

  /** @param {Iterable<Record<string, unknown>>} messages */
  #read(messages) {
    try {
      for (const message of messages) this.#receive(message);
    } catch (error) {
      // Also of a listener that could not make sense of a notification.
      this.#fail(NodeclusterError.from(error));
    }
    this.#heardMs = performance.now();
    this.emit('heard');
  }

  /** @param {any} message */
  #receive({ id, method, params, result, error }) {
    if (typeof method === 'string') {
      const { requestId, ...payload } = params ?? {};
      const listener = this.#pending.get(requestId)?.onNotification;
      if (listener) listener(method, payload);
      else this.emit('notification', method, payload);
    } else if (error || typeof id !== 'number') {
      const failure = NodeclusterError.fromJSON(error?.data ?? { code: 'E_INTERNAL' });
      if (typeof id === 'number') this.#take(id)?.reject(failure);
      else this.#fail(failure);
    } else this.#take(id)?.resolve(result);
  }

  /** @param {number} id */
  #take(id) {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(request?.timer);
    return request;
  }

  /** Closes the connection after an error that makes it unusable. @param {NodeclusterError} error */
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
