/**
 * Copies of the sockets that one app's primary listens on. The daemon never accepts from them. While
 * a copy is open, connections wait in the kernel's queue instead of being refused, and the successor
 * of a killed primary inherits it.
 */
/** @import { ChildProcess } from 'node:child_process' */

/** For one app; further sockets are not copied. */
const MAX_COPIES = 64;

/**
 * The part of Node's internal TCP handle that is used here.
 * @typedef {object} TcpHandle
 * @property {number} fd
 * @property {() => void} close
 */

export class SocketCopies {
  /** @type {Map<string, TcpHandle>} by the address that it listens on */
  #handles = new Map();
  /** @type {ChildProcess | null} */
  #primary = null;
  #timeoutMs = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @returns {{name: string, fd: number}[]} */
  get all() {
    return [...this.#handles].map(([name, { fd }]) => ({ name, fd }));
  }

  /**
   * @param {ChildProcess} primary which reports its sockets
   * @param {number} timeoutMs how long they stay open without a primary
   */
  listenTo(primary, timeoutMs) {
    this.#primary = primary;
    this.#timeoutMs = timeoutMs;
    primary.on('message', (message, sent) => {
      const { hold, release } = /** @type {{hold?: string, release?: string}} */ (message);
      const handle = /** @type {TcpHandle | undefined} */ (/** @type {unknown} */ (sent));
      // An earlier primary may still send messages.
      if (this.#primary !== primary) return handle?.close();
      if (release !== undefined) this.#release(release);
      if (hold !== undefined && handle) this.#hold(hold, handle);
    });
  }

  /** Call this when the primary has exited: clients must not wait forever for a successor. */
  expire() {
    this.#timer ??= setTimeout(() => this.#closeAll(), this.#timeoutMs);
  }

  /** Call this when a primary is connected again. */
  cancelExpiry() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Call this when no primary will follow. */
  releaseAll() {
    this.#primary = null;
    this.#closeAll();
  }

  #closeAll() {
    this.cancelExpiry();
    for (const name of this.#handles.keys()) this.#release(name);
  }

  /** @param {string} name @param {TcpHandle} handle */
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
