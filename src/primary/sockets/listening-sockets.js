/** All sockets of the app: those that workers use, and those that are held for the next worker. */
import { poll } from '../../shared/deadline.js';
import { Admission } from './admission.js';
import { Queues, chooseFree, chooseOwn } from './queues.js';
import { openSocket } from '../../shared/inherited-socket.js';
import { SocketSet } from '../../protocol/socket-set.js';
import { FairSharing } from './fair-sharing.js';
import { addressOf, collide, serves } from './addresses.js';
import { nameOf, openFor, UnixPaths } from './listen-hooks.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../../config/spec.js'
 * @import { Handle, InheritedSocket } from '../../shared/inherited-socket.js'
 */

/**
 * @typedef {{address?: string, port?: number}} Address
 *
 * @typedef {Pick<Handle, 'getsockname' | 'getpeername'> & {close: (callback?: () => void) => void,
 *   onconnection: (error: number, client: TcpHandle) => void, listen?: (backlog: number) => number}} TcpHandle listen: missing
 *   on connections
 */

const CHECK_EVERY_MS = 250;
/** Of Node, if a program asks for none. */
const BACKLOG = 511;
const HAND_OUT_POLL_MS = 5;
/** For the daemon. */
const CLOSE_TIMEOUT_MS = 1000;
/** Of those that share this process. node:cluster takes a negative number for no descriptor. */
let lastScope = -1;

/**
 * @typedef {object} Rules
 * @property {string} app its name
 * @property {string} home
 * @property {() => boolean} isKept although no worker listens there
 * @property {() => boolean} isWorkerLeaving a worker has stopped accepting, but has not exited
 * @property {() => number} holdTimeoutMs counted from when no worker is left
 * @property {() => boolean} isTakingTurns `fair`: whether each worker must get as many connections as any other
 */

export class ListeningSockets {
  /** @type {Map<TcpHandle, ListeningSocket>} */
  #sockets = new Map();
  /** Those where connections wait for a worker, by name. @type {Map<string, ListeningSocket>} */
  #held = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** What the program whose worker asks now asks for. */
  #backlog = BACKLOG;
  /** What is open, and the daemon holds too. @type {SocketSet<TcpHandle>} */
  handedOver = new SocketSet();
  admission = new Admission();
  queues = new Queues(this.admission);
  /** Null: the primary accepts. @type {FairSharing | null} */
  fairSharing = null;
  /** Part of the names that node:cluster gives the app's sockets: another app may have the same address. */
  scope = --lastScope;

  /** @param {Spec['scheduling']} scheduling @param {Rules} rules */
  constructor(scheduling, rules) {
    this.scheduling = scheduling;
    this.rules = rules;
    this.unixPaths = new UnixPaths(rules);
  }

  /** @param {readonly InheritedSocket[]} inherited of the previous primary, and those that last */
  watch(inherited) {
    if (this.scheduling === 'fair') this.fairSharing = new FairSharing(this.queues, this.rules);
    for (const each of inherited) this.#inherit(each);
  }

  /**
   * What node:cluster opens meanwhile is of this app. Where a socket is in the way that nobody uses, the daemon closes it.
   * @param {() => void} act
   * @param {ChildProcess} worker
   * @param {Record<string, any>} request
   */
  openFor(act, worker, { act: kind, addressType, address: host, port, backlog }) {
    const asksForPort = kind === 'queryServer' && [4, 6].includes(addressType);
    const asked = asksForPort ? nameOf({ host, port }) : null;
    const inTheWay = [...this.#held.values()].filter(
      ({ name }) => asked !== null && name !== asked && collide(name, asked),
    );
    for (const socket of inTheWay) this.#close(socket);
    const open = () => {
      this.#backlog = Number(backlog) || BACKLOG;
      openFor(this, act);
    };
    if (inTheWay.length === 0) return open();
    const { isSettled } = this.handedOver;
    const closed = poll(isSettled, { timeoutMs: CLOSE_TIMEOUT_MS, everyMs: HAND_OUT_POLL_MS });
    void closed.then(() => worker.connected && open());
  }

  /** @param {string} name of an address @returns {boolean} whether workers listen there already */
  isInUse(name) {
    return [...this.#sockets.values()].some((socket) => socket.name === name && !socket.isHeld);
  }

  /**
   * @param {string} name path of a unix socket; empty: the system chose the port
   * @param {TcpHandle | number} handle that node:cluster uses from now on; a number: the error
   * @param {boolean} mayBeHeld false: it closes with its last worker
   * @returns {TcpHandle | number} the same, or why it cannot listen
   */
  opened(name, handle, mayBeHeld) {
    if (typeof handle === 'number') return handle;
    const socket = this.#sockets.get(handle) ?? new ListeningSocket(name, handle, this);
    const error = socket.serve(this.#backlog);
    if (error !== 0) {
      socket.end();
      return error;
    }
    if (mayBeHeld) this.#sockets.set(handle, socket);
    if (mayBeHeld && !socket.isLasting) this.handedOver.add(name, handle);
    return handle;
  }

  /** The workers get connections from now on. */
  serve() {
    for (const socket of this.#held.values()) socket.heldSinceMs = performance.now();
    this.admission.begin();
    for (const socket of this.#sockets.values()) {
      socket.isDeferred = false;
      socket.listen();
    }
  }

  /**
   * Another primary has the same sockets and serves, and all workers of this one are about to leave.
   * @param {number} timeoutMs a blocked worker takes none
   * @returns when no connection waits here, and none will
   */
  async leaveToSuccessor(timeoutMs) {
    this.handedOver.hasEnded = true;
    const sockets = [...this.#sockets.values()];
    // Workers that accept by themselves do so until they drain.
    for (const socket of sockets) if (socket.queue) socket.closeHandle();
    this.fairSharing?.end();
    const isIdle = () =>
      sockets.every(({ queue }) => queue?.isIdle ?? true) && (this.fairSharing?.isIdle ?? true);
    await poll(isIdle, { timeoutMs, everyMs: HAND_OUT_POLL_MS });
  }

  reconsider() {
    this.fairSharing?.updateSoon();
    // Those that no worker has taken yet are for the first one that listens.
    if (this.admission.predecessorServes) return;
    // A worker that removed the file of a unix socket may have exited before it listened.
    this.unixPaths.restore();
    const nowMs = performance.now();
    const isWorkerLeaving = this.rules.isWorkerLeaving();
    for (const socket of this.#held.values()) {
      if (isWorkerLeaving) socket.heldSinceMs = nowMs;
      const isLate = nowMs - socket.heldSinceMs >= this.rules.holdTimeoutMs();
      if (isLate || !this.rules.isKept()) this.#close(socket);
    }
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** @param {string} name of an address @returns {TcpHandle | null} what is held for it, and is used from now on */
  take(name) {
    const lasting = [...this.#sockets.values()].find(
      (each) => each.isLasting && each.isHeld && serves(each.name, name),
    );
    const found = this.#held.get(name) ?? lasting;
    if (found) this.#held.delete(found.name);
    return found?.handle ?? null;
  }

  /** @param {ListeningSocket} socket that is held */
  #close(socket) {
    this.#held.delete(socket.name);
    if (socket.isLasting) socket.queue?.giveUpWaiting();
    else socket.end();
  }

  /** @param {InheritedSocket} inherited */
  #inherit({ name, fd, handle: received, isLasting = false, isPrivileged = false }) {
    const handle = /** @type {TcpHandle | null} */ (received ?? openSocket(fd));
    if (!handle) return;
    const socket = new ListeningSocket(name, handle, this);
    this.#sockets.set(handle, socket);
    socket.isHeld = true;
    socket.isDeferred = this.admission.predecessorServes;
    socket.isLasting = isLasting || isPrivileged;
    if (!socket.isLasting) this.hold(socket);
    if (!isLasting) this.handedOver.add(name, handle);
  }

  /** @param {ListeningSocket} socket that its last worker has closed @returns {boolean} whether it stays open */
  keeps(socket) {
    if (socket.isLasting) return true;
    // A unix socket, or a port that the system chose, closes with its last worker.
    return this.#sockets.has(socket.handle) && this.rules.isKept();
  }

  /** @param {ListeningSocket} socket @returns {boolean} whether connections may wait there */
  mayWait(socket) {
    return !socket.isLasting || this.#held.has(socket.name);
  }

  /** @param {ListeningSocket} socket that is closed for good */
  forget(socket) {
    this.#sockets.delete(socket.handle);
    this.unixPaths.forget(socket.handle);
    this.handedOver.remove(socket.name);
  }

  /** @param {ListeningSocket} socket that no worker listens on now */
  hold(socket) {
    socket.heldSinceMs = performance.now();
    this.#held.set(socket.name, socket);
    this.#timer ??= setInterval(() => this.reconsider(), CHECK_EVERY_MS);
  }
}

/**
 * One that the primary listens on. When node:cluster closes it after its last worker, it may stay open. With `round-robin`
 * and `sticky` the primary accepts into a queue; else workers do, and what none accepts waits in the kernel's queue.
 */
class ListeningSocket {
  isHeld = false;
  heldSinceMs = 0;
  /** Another primary listens on it already, so that this one may do so later, and cannot fail. */
  isDeferred = false;
  /** This process did not open it and could not open it again, so it is never closed. */
  isLasting = false;
  /** Null: workers accept. */
  queue;
  /** What a program asked for; 0: none has, or workers accept. */
  #backlog = 0;

  /**
   * @param {string} name where it listens
   * @param {TcpHandle} handle
   * @param {ListeningSockets} all of the app
   */
  constructor(name, handle, all) {
    this.name = name;
    this.handle = handle;
    this.all = all;
    // A unix socket's clients have no addresses.
    const isSticky = all.scheduling === 'sticky' && handle.getpeername !== undefined;
    const rules = {
      address: addressOf(handle) || name,
      choose: isSticky ? chooseOwn : chooseFree,
      takesBack: !isSticky,
      mayWait: () => all.mayWait(this),
    };
    this.queue = all.fairSharing === null ? all.queues.open(rules) : null;
  }

  /** node:cluster takes the handle. @param {number} backlog @returns {number} 0, or the error of the system */
  serve(backlog) {
    const { handle, queue } = this;
    this.isHeld = false;
    handle.close = (callback) => {
      if (!this.all.keeps(this)) return this.end(callback);
      this.isHeld = true;
      this.all.hold(this);
    };
    if (queue === null) return 0;
    this.#backlog = backlog;
    // If accept fails, the next event follows.
    handle.onconnection = (error, client) => void (!error && client && queue.give(client));
    queue.giveWaiting();
    return this.listen();
  }

  /** @returns {number} 0, or the error of the system */
  listen() {
    if (this.#backlog === 0 || this.isDeferred) return 0;
    return this.handle.listen?.(this.#backlog) ?? 0;
  }

  /** No worker will come: closes the socket for good. @param {() => void} [callback] */
  end(callback) {
    this.queue?.close();
    this.closeHandle(callback);
    this.all.forget(this);
  }

  /** @param {() => void} [callback] */
  closeHandle(callback) {
    // node:cluster's own handle gets the `close` of its class back.
    delete (/** @type {{close?: unknown}} */ (this.handle).close);
    this.handle.close(callback);
  }
}
