/** All sockets of the app: which are open, which are held for a worker that is to come. */
import { Admission } from './admission.js';
import { watchRoundRobin, watchShared } from './cluster-listening.js';
import { giveCopy, handleOf, takeBack } from './daemon-copies.js';
import { ListeningSocket } from './listening-socket.js';
import { SharedSocket } from './shared-socket.js';
import { UnixPaths } from './unix-paths.js';

/**
 * @import { HeldCopy } from './daemon-copies.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

/** How often it is asked again whether a held socket is still wanted, in milliseconds. */
const ASK_EVERY_MS = 250;

/**
 * @typedef {object} Rules
 * @property {string} app its name
 * @property {() => boolean} isKept
 * @property {() => boolean} isSomebodyLeaving who has stopped accepting, but is not gone
 * @property {() => number} holdTimeoutMs from when nobody is left
 * @property {() => number} holdConnections
 */

export class ListeningSockets {
  /** @type {Map<TcpHandle, ListeningSocket | SharedSocket>} */
  #sockets = new Map();
  /** @type {Map<string, {socket: ListeningSocket | SharedSocket, sinceMs: number}>} */
  #held = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** Connections that were closed unserved while no worker was left (round-robin). */
  givenUp = 0;
  /** The next primary gets what the daemon holds. */
  hasSuccessor = false;
  admission = new Admission();

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    this.unixPaths = new UnixPaths(rules.app);
  }

  /**
   * @param {'round-robin' | 'shared'} scheduling
   * @param {readonly HeldCopy[]} copies of what an earlier primary,
   *   which was killed, listened on
   */
  watch(scheduling, copies) {
    const Socket = scheduling === 'shared' ? SharedSocket : ListeningSocket;
    for (const copy of copies) {
      const handle = handleOf(copy);
      if (!handle) continue;
      const socket = new Socket(copy.name, handle, this.#socketRules());
      this.#sockets.set(handle, socket);
      socket.isHeld = true;
      this.#hold(socket);
    }
    const watch = scheduling === 'shared' ? watchShared : watchRoundRobin;
    watch({
      take: (name) => this.#take(name),
      opened: (name, handle) => {
        const socket = this.#sockets.get(handle) ?? new Socket(name, handle, this.#socketRules());
        this.#sockets.set(handle, socket);
        socket.serve();
        giveCopy(name, handle);
      },
      openedUnkept: (handle) => new Socket('', handle, this.#unkeptRules()).serve(),
      bound: (path, handle) => this.unixPaths.keep(path, handle),
    });
  }

  /** Something is wanted otherwise than before: held sockets may not be wanted any more. */
  reconsider() {
    // One that removed the file of a unix socket may have gone before it listened.
    this.unixPaths.restore();
    const nowMs = performance.now();
    const isSomebodyLeaving = this.rules.isSomebodyLeaving();
    for (const [name, held] of this.#held) {
      if (isSomebodyLeaving) held.sinceMs = nowMs;
      const { socket, sinceMs } = held;
      const isLate = nowMs - sinceMs >= this.rules.holdTimeoutMs();
      if (this.rules.isKept() && !isLate) continue;
      this.#letGo(name, socket);
    }
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** @param {string} name is closed for good */
  #takeBack(name) {
    if (!this.hasSuccessor) takeBack(name);
  }

  /** @param {string} name */
  #take(name) {
    const held = this.#held.get(name);
    this.#held.delete(name);
    if (held) return held.socket.handle;
    // A new version may want another address of the port, and shall not find it in use by what is
    // held of the old one. The daemon closes its copy a moment later: one worker may die of it.
    for (const [other, { socket }] of this.#held) {
      if (collide(other, name)) this.#letGo(other, socket);
    }
    return null;
  }

  /**
   * @param {string} name
   * @param {ListeningSocket | SharedSocket} socket that is held, and not wanted any more
   */
  #letGo(name, socket) {
    this.#held.delete(name);
    this.#sockets.delete(socket.handle);
    socket.end();
    this.#takeBack(name);
  }

  #socketRules() {
    return {
      isKept: this.rules.isKept,
      maxWaiting: this.rules.holdConnections,
      onGivenUp: (/** @type {number} */ count) => void (this.givenUp += count),
      onHeld: (/** @type {ListeningSocket | SharedSocket} */ socket) => this.#hold(socket),
      onClosed: (/** @type {ListeningSocket | SharedSocket} */ socket) => {
        this.#sockets.delete(socket.handle);
        this.#takeBack(socket.name);
      },
    };
  }

  /** Of a socket that closes with its last worker. */
  #unkeptRules() {
    const onClosed = (/** @type {{handle: TcpHandle}} */ { handle }) =>
      this.unixPaths.forget(handle);
    return { ...this.#socketRules(), isKept: () => false, onClosed };
  }

  /** @param {ListeningSocket | SharedSocket} socket nobody listens on it now */
  #hold(socket) {
    this.#held.set(socket.name, { socket, sinceMs: performance.now() });
    this.#timer ??= setInterval(() => this.reconsider(), ASK_EVERY_MS);
  }
}

/**
 * @param {string} one
 * @param {string} other address
 * @returns {boolean} only one of them can be listened on
 */
function collide(one, other) {
  const [a, b] = [one, other].map((name) => {
    const end = name.lastIndexOf(':');
    return { isAny: ['*', '::', '0.0.0.0'].includes(name.slice(0, end)), port: name.slice(end) };
  });
  return a.port === b.port && (a.isAny || b.isAny);
}
