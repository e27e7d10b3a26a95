/**
 * A session with the inspector of a Node process: https://chromedevtools.github.io/devtools-protocol/v8/.
 * It is also answered while JavaScript runs without a pause.
 */
import { within } from '../../../shared/deadline.js';
import { randomBytes } from 'node:crypto';
import http from 'node:http';

/** @import { Duplex } from 'node:stream' */

const OPEN_MS = 5000;
/** On a busy machine it takes more than a second, and the port must not stay open while the event loop is blocked. */
const CLOSE_MS = 3000;
/** Characters. The program can forge what is said here. */
const MAX_REASON = 200;

/** @typedef {(params: any) => void} Listener */

/** @param {string} url @throws {Error} it does not answer */
export async function openSession(url) {
  return new Session(await openWebSocket(url, OPEN_MS));
}

export class Session {
  /** Resolves when the worker has exited, or its inspector has been closed. @type {Promise<void>} */
  #closed;
  #socket;
  #lastId = 0;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #pending = new Map();
  /** @type {Map<string, Listener>} */
  #listeners = new Map();

  /** @param {Duplex} socket */
  constructor(socket) {
    this.#socket = socket;
    this.#closed = this.#read().catch(() => {});
    void this.#closed.then(() => this.#end());
  }

  /** @param {string} event @param {Listener} listener the only one for it */
  on(event, listener) {
    this.#listeners.set(event, listener);
  }

  /** @param {string} event @returns {Promise<any>} its parameters, the next time */
  next(event) {
    return new Promise((resolve) => this.on(event, resolve));
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @throws {Error} it was refused, or the session is closed
   */
  request(method, params = {}) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      if (this.#socket.destroyed) return this.#end();
      this.#socket.write(encodeFrame(JSON.stringify({ id, method, params })));
    });
  }

  /** Closes the inspector itself, also while JavaScript runs without a pause. */
  async closeInspector() {
    // It has no reply: the connection ends with the inspector.
    this.request('Runtime.evaluate', { expression: 'process._debugEnd()' }).catch(() => {});
    await within(this.#closed, CLOSE_MS);
    this.#socket.destroy();
  }

  async #read() {
    for await (const text of readMessages(this.#socket)) {
      const { id, method, params, result, error } = JSON.parse(text);
      if (method !== undefined) this.#listeners.get(method)?.(params);
      const request = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) request?.reject(new Error(String(error.message).slice(0, MAX_REASON)));
      else request?.resolve(result);
    }
  }

  #end() {
    this.#socket.destroy();
    for (const { reject } of this.#pending.values()) reject(new Error('the worker has exited'));
    this.#pending.clear();
  }
}

const TEXT = 1;
const CLOSE = 8;
const IS_LAST = 0x80;
const IS_MASKED = 0x80;
/** Bytes. A deep stack has some megabytes. */
const MAX_MESSAGE = 2 ** 26;

/**
 * As much of a WebSocket (RFC 6455) as the inspector of Node needs: whole text messages.
 * @param {string} url
 * @param {number} timeoutMs
 * @returns {Promise<Duplex>} reads and writes frames
 */
export function openWebSocket(url, timeoutMs) {
  const { hostname, port, pathname } = new URL(url);
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path: pathname, headers, agent: false });
    const timer = setTimeout(() => request.destroy(new Error('it does not answer')), timeoutMs);
    request
      .once('upgrade', (_response, socket, head) => {
        clearTimeout(timer);
        socket.on('error', () => {});
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      })
      .once('response', ({ statusCode }) => request.destroy(new Error(`it replied ${statusCode}`)))
      .once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      })
      .end();
  });
}

/** @param {string} text @returns {Buffer} a frame as clients send it; a mask of zeros changes nothing */
export function encodeFrame(text) {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length < 126) {
    return Buffer.concat([Buffer.of(IS_LAST | TEXT, IS_MASKED | length, 0, 0, 0, 0), payload]);
  }
  const isLong = length > 0xffff;
  const head = Buffer.alloc(isLong ? 14 : 8);
  head[0] = IS_LAST | TEXT;
  head[1] = IS_MASKED | (isLong ? 127 : 126);
  if (isLong) head.writeUIntBE(length, 4, 6);
  else head.writeUInt16BE(length, 2);
  return Buffer.concat([head, payload]);
}

/**
 * @param {AsyncIterable<Buffer>} chunks of frames as servers send them
 * @returns {AsyncGenerator<string>} until the server closes
 * @throws {Error} a message is too long, or in several frames
 */
export async function* readMessages(chunks) {
  /** @type {Buffer[]} */
  let pieces = [];
  let length = 0;
  let needed = 2;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    length += chunk.length;
    // Joined only where a frame begins or ends.
    while (length >= needed) {
      const bytes = pieces.length > 1 ? Buffer.concat(pieces, length) : pieces[0];
      const { head, end } = measureFrame(bytes);
      pieces = [bytes];
      needed = end;
      if (length < needed) break;
      pieces = [bytes.subarray(end)];
      length -= end;
      needed = 2;
      const kind = bytes[0] & 0x0f;
      if (kind === CLOSE) return;
      if (kind === TEXT) yield bytes.toString('utf8', head, end);
    }
  }
}

/** @param {Buffer} bytes the beginning of a frame @returns {{head: number, end: number}} end: at least so much is needed */
function measureFrame(bytes) {
  const short = bytes[1] & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return { head, end: head };
  const length = head === 2 ? short : bytes.readUIntBE(head === 4 ? 2 : 4, head === 4 ? 2 : 6);
  if (length > MAX_MESSAGE) throw new Error('it sent a message that is too long');
  if ((bytes[0] & IS_LAST) === 0) throw new Error('it sent a message in several parts');
  return { head, end: head + length };
}
