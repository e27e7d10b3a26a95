/**
 * One socket that the primary listens on for round-robin or sticky scheduling. When node:cluster
 * closes it after its last worker, it stays open if its rules say so: connections wait until a worker
 * listens on the same address again.
 */
/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { StickyAddress, StickyWorkers } from './sticky.js'
 */

/**
 * @typedef {{address?: string, port?: number}} Address
 *
 * @typedef {object} TcpHandle the part of Node's handle that is used here
 * @property {Distribute} onconnection
 * @property {(callback?: () => void) => void} close
 * @property {(out: Address) => number} [getsockname] a unix socket has neither this
 * @property {(out: Address) => number} [getpeername] nor this
 *
 * @typedef {(error: number, client: TcpHandle) => void} Distribute
 */
/**
 * @template Socket
 * @typedef {object} SocketRules
 * @property {StickyWorkers | null} [sticky] chooses the worker in place of node:cluster
 * @property {() => boolean} isKept called when the last worker has closed it
 * @property {() => number} maxWaiting connections that may wait
 * @property {(count: number) => void} onGivenUp connections were closed that no worker served
 * @property {(socket: Socket) => void} onHeld
 * @property {(socket: Socket) => void} onClosed
 * @property {(name: string, handle: TcpHandle) => void} onOpened another socket of its address
 */

/**
 * Connections that no worker has acknowledged, also those of closed sockets: the socket that each
 * came through, and who got it: a function of node:cluster, or a worker directly.
 * @type {WeakMap<TcpHandle, {socket: ListeningSocket, distribute: Distribute | null,
 *   worker: ChildProcess | null}>}
 */
const pending = new WeakMap();

/** @param {TcpHandle} client @returns {ListeningSocket | null} null: it was acknowledged */
export function socketOf(client) {
  return pending.get(client)?.socket ?? null;
}

export class ListeningSocket {
  /** Connections that no worker has received. @type {TcpHandle[]} */
  #waiting = [];
  /** Those that were sent to a worker, which has not acknowledged them. @type {Set<TcpHandle>} */
  #sent = new Set();
  isHeld = false;
  #isClosed = false;
  /** The `onconnection` of node:cluster. @type {Distribute | null} */
  #distribute = null;
  /** @type {StickyAddress | null} */
  #sticky = null;

  /**
   * @param {string} name the address that it listens on
   * @param {TcpHandle} handle
   * @param {SocketRules<ListeningSocket>} rules
   */
  constructor(name, handle, rules) {
    this.name = name;
    this.handle = handle;
    this.rules = rules;
  }

  /** @returns {[string, TcpHandle][]} those that are open, by their names */
  get handles() {
    return [[this.name, this.handle]];
  }

  /** node:cluster has taken the handle and set its `onconnection`. */
  serve() {
    const { handle } = this;
    this.isHeld = false;
    this.#distribute = handle.onconnection;
    this.#sticky = this.rules.sticky?.at(handle) ?? null;
    handle.onconnection = (error, client) => this.#onConnection(error, client);
    handle.close = (callback) => this.#onClose(callback);
    this.#giveWaiting();
  }

  /** Another process has the same socket, and accepts what comes from now on. */
  stopAccepting() {
    restoreClose(this.handle);
    this.handle.close();
  }

  get isIdle() {
    return this.#sent.size + this.#waiting.length === 0;
  }

  /** @param {TcpHandle} client that a worker has now */
  acknowledged(client) {
    this.#sent.delete(client);
    const isSentByUs = pending.get(client)?.worker;
    pending.delete(client);
    restoreClose(client);
    if (isSentByUs) client.close();
  }

  /** Gives it to another worker. @param {TcpHandle} client that was withheld from one worker */
  passOn(client) {
    this.#distribute?.(0, client);
  }

  /**
   * A worker refused it, or died before it received it. node:cluster gives it to the next one,
   * unless the last worker has left meanwhile: then that `onconnection` has no workers any more.
   * @param {TcpHandle} client
   */
  returned(client) {
    if (this.isHeld) return this.#wait(client);
    if (this.#isClosed) return this.#giveUp(client);
    const { distribute, worker = null } = pending.get(client) ?? {};
    if (!worker && distribute === this.#distribute) return;
    this.#give(client, worker);
  }

  /** @param {TcpHandle} client that no worker can take now */
  #wait(client) {
    pending.delete(client);
    this.#sent.delete(client);
    restoreClose(client);
    if (this.#waiting.includes(client)) return;
    if (this.#waiting.length < this.rules.maxWaiting()) {
      this.#waiting.push(client);
      return;
    }
    this.#giveUp(client);
  }

  /** @param {TcpHandle} client that would wait forever, so it is closed */
  #giveUp(client) {
    pending.delete(client);
    this.#sent.delete(client);
    restoreClose(client);
    this.rules.onGivenUp(1);
    client.close();
  }

  /** No worker will come: closes the socket for good, with the connections that wait. */
  end() {
    this.isHeld = false;
    this.#isClosed = true;
    restoreClose(this.handle);
    this.giveUpWaiting();
    this.handle.close();
  }

  /** @param {number} error @param {TcpHandle} client */
  #onConnection(error, client) {
    if (error || !client) return this.#distribute?.(error, client);
    if (this.isHeld) return this.#wait(client);
    this.#give(client);
  }

  /** @param {TcpHandle} client @param {ChildProcess | null} [refusedBy] */
  #give(client, refusedBy = null) {
    if (this.#sticky) return this.#giveToOwnWorker(this.#sticky, client, refusedBy);
    const distribute = this.#distribute;
    pending.set(client, { socket: this, distribute, worker: null });
    this.#sent.add(client);
    // When the last worker leaves, node:cluster closes the connections in its own queue just before
    // it closes the socket. Only after that is it known whether they can wait.
    client.close = (callback) => queueMicrotask(() => this.#onClientClose(client, callback));
    distribute?.(0, client);
  }

  /**
   * Not through node:cluster even if no worker listens: it may not know yet that the last one is
   * dead, and would lose the connection.
   * @param {StickyAddress} sticky
   * @param {TcpHandle} client
   * @param {ChildProcess | null} refusedBy
   */
  #giveToOwnWorker(sticky, client, refusedBy) {
    const worker = sticky.send(client, refusedBy);
    if (worker) {
      this.#sent.add(client);
      pending.set(client, { socket: this, distribute: null, worker });
      return;
    }
    sticky.onceServed(() => this.isHeld || this.#giveWaiting());
    this.#wait(client);
  }

  #giveWaiting() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const client of waiting) this.#onConnection(0, client);
  }

  /** Closes the connections that wait. */
  giveUpWaiting() {
    this.rules.onGivenUp(this.#waiting.length);
    for (const client of this.#waiting) client.close();
    this.#waiting = [];
  }

  /** @param {TcpHandle} client @param {(() => void) | undefined} callback */
  #onClientClose(client, callback) {
    if (this.isHeld) return this.#wait(client);
    this.acknowledged(client);
    client.close(callback);
  }

  /** @param {(() => void) | undefined} callback */
  #onClose(callback) {
    if (!this.rules.isKept()) {
      this.#isClosed = true;
      restoreClose(this.handle);
      this.giveUpWaiting();
      this.handle.close(callback);
      this.rules.onClosed(this);
      return;
    }
    this.isHeld = true;
    this.rules.onHeld(this);
  }
}

/** @param {TcpHandle} handle gets the `close` of its class back */
function restoreClose(handle) {
  delete (/** @type {{close?: unknown}} */ (handle).close);
}
