/**
 * A session with the inspector of a Node process: https://chromedevtools.github.io/devtools-protocol/v8/.
 * It is also answered while JavaScript runs without a pause.
 */
import { within } from '../../../shared/deadline.js';
import { randomBytes } from 'node:crypto';
import http from 'node:http';

/** @import { Duplex } from 'node:stream' */

const OPEN_MS = 5000;
const CLOSE_MS = 1000;
/** Characters. The program can forge what is said here. */
const MAX_REASON = 200;

/** @typedef {(params: any) => void | Promise<void>} Listener reading pauses until it is done */

/** @param {string} url @throws {Error} it does not answer */
export async function openSession(url) {
  return new Session(await openWebSocket(url, OPEN_MS));
}

export class Session {
  /** Resolves when the worker has exited, or its inspector has been closed. @type {Promise<void>} */
  closed;
  #socket;
  #lastId = 0;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #pending = new Map();
  /** @type {Map<string, Listener>} */
  #listeners = new Map();

  /** @param {Duplex} socket */
  constructor(socket) {
    this.#socket = socket;
    this.closed = this.#read().catch(() => {});
    void this.closed.then(() => this.#end());
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

  /** Ends the session; the inspector stays open for others. */
  leave() {
    this.#socket.destroy();
  }

  /** Closes the inspector itself, also while JavaScript runs without a pause. */
  async closeInspector() {
    // It has no reply: the connection ends with the inspector.
    this.request('Runtime.evaluate', { expression: 'process._debugEnd()' }).catch(() => {});
    await within(this.closed, CLOSE_MS);
    this.leave();
  }

  async #read() {
    for await (const text of readMessages(this.#socket)) {
      const { id, method, params, result, error } = JSON.parse(text);
      if (method !== undefined) await this.#listeners.get(method)?.(params);
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
/** Bytes. A profile is one message; that of a minute has some megabytes. */
const MAX_MESSAGE = 2 ** 29;

/**
 * As much of a WebSocket (RFC 6455) as the inspector of Node needs: whole text messages, and no reading
 * ahead, so that a heap snapshot never waits in the memory of this process.
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

/** @param {string} text @returns {Buffer} a frame as clients send it */
export function encodeFrame(text) {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  for (let at = 0; at < payload.length; at++) payload[at] ^= mask[at % 4];
  return Buffer.concat([headOf(payload.length), mask, payload]);
}

/** @param {number} length of the payload */
function headOf(length) {
  if (length < 126) return Buffer.of(IS_LAST | TEXT, IS_MASKED | length);
  const isLong = length > 0xffff;
  const head = Buffer.alloc(isLong ? 10 : 4);
  head[0] = IS_LAST | TEXT;
  head[1] = IS_MASKED | (isLong ? 127 : 126);
  if (isLong) head.writeUIntBE(length, 4, 6);
  else head.writeUInt16BE(length, 2);
  return head;
}

/**
 * @param {AsyncIterable<Buffer>} chunks of frames as servers send them
 * @returns {AsyncGenerator<string>} until the server closes
 * @throws {Error} a message is too long, or in several frames
 */
export async function* readMessages(chunks) {
  const reader = new FrameReader();
  for await (const chunk of chunks) {
    reader.add(chunk);
    for (let frame = reader.next(); frame !== null; frame = reader.next()) {
      if (frame.kind === CLOSE) return;
      if (frame.kind === TEXT) yield frame.payload.toString();
    }
  }
}

class FrameReader {
  /** @type {Buffer[]} */
  #chunks = [];
  #length = 0;
  /** @type {{kind: number, head: number, length: number} | null} */
  #frame = null;

  /** @param {Buffer} chunk */
  add(chunk) {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** @returns {{kind: number, payload: Buffer} | null} null: the rest of it has not arrived */
  next() {
    this.#frame ??= this.#readHead();
    if (this.#frame === null) return null;
    const { kind, head, length } = this.#frame;
    if (this.#length < head + length) return null;
    const whole = this.#joined();
    this.#frame = null;
    this.#chunks = [whole.subarray(head + length)];
    this.#length -= head + length;
    return { kind, payload: whole.subarray(head, head + length) };
  }

  #readHead() {
    if (this.#length < 2) return null;
    const bytes = this.#joined();
    const short = bytes[1] & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < head) return null;
    const length = head === 2 ? short : bytes.readUIntBE(head === 4 ? 2 : 4, head === 4 ? 2 : 6);
    if (length > MAX_MESSAGE) throw new Error('it sent a message that is too long');
    if ((bytes[0] & IS_LAST) === 0) throw new Error('it sent a message in several parts');
    return { kind: bytes[0] & 0x0f, head, length };
  }

  /** Joined only where a frame begins or ends. */
  #joined() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    return this.#chunks[0];
  }
}
