/**
 * A session with the inspector of a Node process: https://chromedevtools.github.io/devtools-protocol/v8/.
 * It is also answered while JavaScript runs without a pause.
 */
import net from 'node:net';
import { poll, within } from '../../../shared/deadline.js';
import { encodeFrame, openWebSocket, readMessages } from './web-socket.js';

/** @import { Duplex } from 'node:stream' */

const OPEN_MS = 5000;
const CLOSE_MS = 1000;
const CLOSE_POLL_MS = 20;

/** @typedef {(params: any) => void | Promise<void>} Listener reading pauses until it is done */

/** @param {string} url @throws {Error} it does not answer */
export async function openSession(url) {
  return new Session(url, await openWebSocket(url, OPEN_MS));
}

export class Session {
  /** Resolves when the worker has exited, or its inspector has been closed. @type {Promise<void>} */
  closed;
  #url;
  #socket;
  #lastId = 0;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #pending = new Map();
  /** @type {Map<string, Listener>} */
  #listeners = new Map();

  /** @param {string} url @param {Duplex} socket */
  constructor(url, socket) {
    this.#url = new URL(url);
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

  /**
   * Closes the inspector itself, also while JavaScript runs without a pause.
   * @returns {Promise<boolean>} whether nothing listens at its port any more
   */
  async closeInspector() {
    // It has no reply: the connection ends with the inspector.
    this.request('Runtime.evaluate', { expression: 'process._debugEnd()' }).catch(() => {});
    await within(this.closed, CLOSE_MS);
    this.leave();
    const isFree = async () => !(await this.#isListening());
    const options = { timeoutMs: CLOSE_MS, everyMs: CLOSE_POLL_MS };
    return (await poll(isFree, options)) ?? false;
  }

  async #read() {
    for await (const text of readMessages(this.#socket)) {
      const { id, method, params, result, error } = JSON.parse(text);
      if (method !== undefined) await this.#listeners.get(method)?.(params);
      const request = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) request?.reject(new Error(String(error.message)));
      else request?.resolve(result);
    }
  }

  #end() {
    this.#socket.destroy();
    for (const { reject } of this.#pending.values()) reject(new Error('the worker has exited'));
    this.#pending.clear();
  }

  /** @returns {Promise<boolean>} */
  #isListening() {
    const { hostname, port } = this.#url;
    return new Promise((resolve) => {
      const socket = net.connect(Number(port), hostname);
      socket
        .once('connect', () => {
          socket.destroy();
          resolve(true);
        })
        .once('error', () => resolve(false));
    });
  }
}
