/** All sockets of the app: those that workers use, and those that are held for the next worker. */
import { Admission } from './admission.js';
import { DaemonCopies, handleOf } from './daemon-copies.js';
import { hookRoundRobin, hookShared } from './listen-hooks.js';
import { ListeningSocket } from './listening-socket.js';
import { SharedSocket } from './shared-socket.js';
import { StickyWorkers } from './sticky.js';
import { UnixPaths } from './unix-paths.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { HeldCopy } from './daemon-copies.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

const CHECK_EVERY_MS = 250;

/**
 * @typedef {ListeningSocket | SharedSocket} Socket
 *
 * @typedef {object} Rules
 * @property {string} app its name
 * @property {() => boolean} isKept
 * @property {() => boolean} isWorkerLeaving a worker has stopped accepting, but has not exited
 * @property {() => number} holdTimeoutMs counted from when no worker is left
 * @property {() => number} holdConnections
 */

export class ListeningSockets {
  /** @type {Map<TcpHandle, Socket>} */
  #sockets = new Map();
  /** @type {Map<string, {socket: Socket, sinceMs: number}>} */
  #held = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** How many connections were closed because no worker was left (not with `shared`). */
  givenUp = 0;
  daemonCopies = new DaemonCopies();
  admission = new Admission();
  /** @type {StickyWorkers | null} */
  #sticky = null;

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    this.unixPaths = new UnixPaths(rules.app);
  }

  /**
   * @param {Spec['scheduling']} scheduling
   * @param {readonly HeldCopy[]} copies of the sockets of the previous primary, which was killed
   */
  watch(scheduling, copies) {
    if (scheduling === 'sticky') this.#sticky = new StickyWorkers(this.admission);
    const Socket = scheduling === 'shared' ? SharedSocket : ListeningSocket;
    for (const copy of copies) {
      const handle = handleOf(copy);
      if (!handle) continue;
      const socket = new Socket(copy.name, handle, this.#socketRules());
      this.#sockets.set(handle, socket);
      socket.isHeld = true;
      this.#hold(socket);
      this.daemonCopies.give(copy.name, handle);
    }
    const hook = scheduling === 'shared' ? hookShared : hookRoundRobin;
    hook({
      take: (name) => this.#take(name),
      opened: (name, handle) => {
        const socket = this.#sockets.get(handle) ?? new Socket(name, handle, this.#socketRules());
        this.#sockets.set(handle, socket);
        socket.serve();
        this.daemonCopies.give(name, handle);
      },
      openedUnkept: (handle) => new Socket('', handle, this.#unkeptRules()).serve(),
      bound: (path, handle) => this.unixPaths.protect(path, handle),
    });
  }

  reconsider() {
    // A worker that removed the file of a unix socket may have exited before it listened.
    this.unixPaths.restore();
    const nowMs = performance.now();
    const isWorkerLeaving = this.rules.isWorkerLeaving();
    for (const [name, held] of this.#held) {
      if (isWorkerLeaving) held.sinceMs = nowMs;
      const { socket, sinceMs } = held;
      const isLate = nowMs - sinceMs >= this.rules.holdTimeoutMs();
      if (this.rules.isKept() && !isLate) continue;
      this.#close(name, socket);
    }
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** @param {string} name */
  #take(name) {
    const held = this.#held.get(name);
    this.#held.delete(name);
    if (held) return held.socket.handle;
    // A new version may listen on another address of the port, which a held socket of the old
    // version must not occupy. The daemon closes its copy a moment later, so one worker may fail to
    // bind.
    for (const [other, { socket }] of this.#held) {
      if (collide(other, name)) this.#close(other, socket);
    }
    return null;
  }

  /** @param {string} name @param {Socket} socket that is held */
  #close(name, socket) {
    this.#held.delete(name);
    this.#sockets.delete(socket.handle);
    socket.end();
    this.daemonCopies.release(name);
  }

  #socketRules() {
    return {
      sticky: this.#sticky,
      isKept: this.rules.isKept,
      maxWaiting: this.rules.holdConnections,
      onGivenUp: (/** @type {number} */ count) => void (this.givenUp += count),
      onHeld: (/** @type {Socket} */ socket) => this.#hold(socket),
      onClosed: (/** @type {Socket} */ socket) => {
        this.#sockets.delete(socket.handle);
        this.daemonCopies.release(socket.name);
      },
    };
  }

  /** The rules of a socket that closes with its last worker. */
  #unkeptRules() {
    const onClosed = (/** @type {{handle: TcpHandle}} */ { handle }) =>
      this.unixPaths.forget(handle);
    return { ...this.#socketRules(), isKept: () => false, onClosed };
  }

  /** @param {Socket} socket that no worker listens on now */
  #hold(socket) {
    this.#held.set(socket.name, { socket, sinceMs: performance.now() });
    this.#timer ??= setInterval(() => this.reconsider(), CHECK_EVERY_MS);
  }
}

/**
 * @param {string} one
 * @param {string} other
 * @returns {boolean} whether only one of the two addresses can be listened on
 */
function collide(one, other) {
  const [a, b] = [one, other].map((name) => {
    const end = name.lastIndexOf(':');
    return { isAny: ['*', '::', '0.0.0.0'].includes(name.slice(0, end)), port: name.slice(end) };
  });
  return a.port === b.port && (a.isAny || b.isAny);
}
