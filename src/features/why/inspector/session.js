/**
 * A session with the inspector of a Node process: https://chromedevtools.github.io/devtools-protocol/v8/.
 * It is also answered while JavaScript runs without a pause.
 */
import { within } from '../../../shared/deadline.js';

const OPEN_MS = 5000;
/** On a busy machine it takes more than a second, and the port must not stay open while the event loop is blocked. */
const CLOSE_MS = 3000;
/** Characters. The program can forge what is said here. */
const MAX_REASON = 200;

/** @param {string} url @throws {Error} it does not answer */
export async function openSession(url) {
  const session = new Session(url);
  if (await within(session.opened, OPEN_MS)) return session;
  throw new Error('it does not answer');
}

export class Session {
  #socket;
  #lastId = 0;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #pending = new Map();
  /** One for each event. @type {Map<string, (params: any) => void>} */
  #listeners = new Map();
  #closed;

  /** @param {string} url */
  constructor(url) {
    this.#socket = new WebSocket(url);
    this.opened = new Promise((resolve) => {
      this.#socket.onopen = () => resolve(true);
      this.#socket.onerror = () => resolve(false);
    });
    this.#socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    // The worker has exited, or its inspector has been closed.
    this.#closed = new Promise((resolve) => (this.#socket.onclose = resolve));
    void this.#closed.then(() => {
      for (const { reject } of this.#pending.values()) reject(new Error('the worker has exited'));
    });
  }

  /** @param {string} event @param {(params: any) => void} listener the only one for it */
  on(event, listener) {
    this.#listeners.set(event, listener);
  }

  /** @param {string} event @returns {Promise<any>} its parameters, the next time */
  next(event) {
    return new Promise((resolve) => this.on(event, resolve));
  }

  /** @param {string} method @param {object} [params] @throws {Error} it was refused, or the session is closed */
  request(method, params = {}) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#socket.readyState !== WebSocket.OPEN) throw new Error('the worker has exited');
      this.#pending.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** Closes the inspector itself, also while JavaScript runs without a pause. */
  async closeInspector() {
    // It has no reply: the connection ends with the inspector.
    this.request('Runtime.evaluate', { expression: 'process._debugEnd()' }).catch(() => {});
    await within(this.#closed, CLOSE_MS);
  }

  /** @param {any} message */
  #receive({ id, method, params, result, error }) {
    if (method !== undefined) this.#listeners.get(method)?.(params);
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) request?.reject(new Error(String(error.message).slice(0, MAX_REASON)));
    else request?.resolve(result);
  }
}
