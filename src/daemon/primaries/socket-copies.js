/**
 * Copies of the sockets that one app's primary listens on. The daemon never accepts from them: as
 * long as one is open, connections wait in the kernel's queue instead of being refused, and when
 * the primary was killed the next one inherits it.
 */
/** @import { ChildProcess } from 'node:child_process' */

/** Of one app; the rest goes without. */
const MAX_COPIES = 64;

/**
 * A TCP handle of Node's, as far as it matters here.
 * @typedef {object} TcpHandle
 * @property {number} fd
 * @property {() => void} close
 */

export class SocketCopies {
  /** @type {Map<string, TcpHandle>} by the address that it listens on */
  #handles = new Map();
  /** The primary that is listened to. @type {ChildProcess | null} */
  #primary = null;
  #timeoutMs = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @returns {{name: string, fd: number}[]} */
  get all() {
    return [...this.#handles].map(([name, { fd }]) => ({ name, fd }));
  }

  /**
   * @param {ChildProcess} primary which tells of its sockets
   * @param {number} timeoutMs how long they are held without a primary
   */
  listenTo(primary, timeoutMs) {
    this.#primary = primary;
    this.#timeoutMs = timeoutMs;
    primary.on('message', (message, sent) => {
      const { hold, release } = /** @type {{hold?: string, release?: string}} */ (message);
      const handle = /** @type {TcpHandle | undefined} */ (/** @type {unknown} */ (sent));
      // What comes from one that is being forgotten is not held.
      if (this.#primary !== primary) return handle?.close();
      if (release !== undefined) this.#release(release);
      if (hold !== undefined && handle) this.#hold(hold, handle);
    });
  }

  /** The primary is gone. Nobody shall wait for ever for a next one that does not come. */
  expire() {
    this.#timer ??= setTimeout(() => this.#closeAll(), this.#timeoutMs);
  }

  /** There is a primary again. */
  stay() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Nobody is to serve them any more. */
  releaseAll() {
    this.#primary = null;
    this.#closeAll();
  }

  #closeAll() {
    this.stay();
    for (const name of this.#handles.keys()) this.#release(name);
  }

  /**
   * @param {string} name
   * @param {TcpHandle} handle
   */
  #hold(name, handle) {
    this.#release(name);
    if (this.#handles.size < MAX_COPIES) this.#handles.set(name, handle);
    else handle.close();
  }

  /** @param {string} name */
  #release(name) {
    this.#handles.get(name)?.close();
    this.#handles.delete(name);
  }
}
