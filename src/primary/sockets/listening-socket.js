/**
 * One socket that the primary listens on. node:cluster opens it, and when it closes it after its last worker,
 * it stays open if its rules say so: connections wait until a worker listens on the same address again.
 */
import { nameAddress, slotSocketName } from './addresses.js';
import { chooseFree, chooseOwn } from './queues.js';

/** @import { Queues } from './queues.js' */

/**
 * @typedef {{address?: string, port?: number}} Address
 *
 * @typedef {object} TcpHandle the part of Node's handle that is used here
 * @property {(error: number, client: TcpHandle) => void} onconnection
 * @property {(callback?: () => void) => void} close
 * @property {(backlog: number) => number} [listen] a connection has not this
 * @property {(out: Address) => number} [getsockname] a unix socket has neither this
 * @property {(out: Address) => number} [getpeername] nor this
 */
/**
 * @template Socket
 * @typedef {object} SocketRules
 * @property {Queues} queues
 * @property {boolean} isSticky clients of one address belong to one worker
 * @property {() => boolean} isKept called when the last worker has closed it
 * @property {() => number} maxWaiting connections that may wait
 * @property {(count: number) => void} onGivenUp connections were closed that no worker served
 * @property {(socket: Socket) => void} onHeld
 * @property {(socket: Socket) => void} onClosed
 * @property {(name: string, handle: TcpHandle) => void} onOpened another socket of its address
 */

/** As Node's default. */
const BACKLOG = 511;

/**
 * For round-robin or sticky scheduling: the primary accepts, and the connections go to the workers by a queue
 * of our own.
 */
export class ListeningSocket {
  isHeld = false;
  /** By slot, if an earlier primary opened one for each; `handle` is among them. @type {Map<number, TcpHandle>} */
  #bySlot = new Map();
  /** As `nameAddress` names it; null before it listens. @type {string | null} */
  #address = null;

  /**
   * @param {string} name the address that it listens on
   * @param {TcpHandle} handle
   * @param {SocketRules<ListeningSocket>} rules
   */
  constructor(name, handle, rules) {
    this.name = name;
    this.handle = handle;
    this.rules = rules;
    // A unix socket's clients have no addresses.
    const isSticky = rules.isSticky && handle.getpeername !== undefined;
    this.queue = rules.queues.open({
      address: () => this.#address,
      choose: isSticky ? chooseOwn : chooseFree,
      takesBack: !isSticky,
      maxWaiting: rules.maxWaiting,
      onGivenUp: rules.onGivenUp,
    });
  }

  /** @returns {[string, TcpHandle][]} those that are open, by their names */
  get handles() {
    if (this.#bySlot.size === 0) return [[this.name, this.handle]];
    return [...this.#bySlot].map(([slot, handle]) => [slotSocketName(slot, this.name), handle]);
  }

  /** @param {number} slot @param {TcpHandle} handle that an earlier primary opened for that slot */
  inherit(slot, handle) {
    this.#bySlot.set(slot, handle);
  }

  /** node:cluster has taken the handle and set its `onconnection`. */
  serve() {
    const { handle } = this;
    this.isHeld = false;
    /** @type {Address} */
    const local = {};
    handle.getsockname?.(local);
    this.#address = nameAddress(local) || this.name;
    // If accept fails, the next event follows.
    handle.onconnection = (error, client) => void (!error && client && this.queue.give(client));
    for (const other of this.#others()) {
      other.onconnection = handle.onconnection;
      other.listen?.(BACKLOG);
    }
    handle.close = (callback) => this.#onClose(callback);
    this.queue.giveWaiting();
  }

  /** Another process has the same socket, and accepts what comes from now on. */
  stopAccepting() {
    this.#closeHandles();
  }

  get isIdle() {
    return this.queue.isIdle;
  }

  /** Closes the connections that wait. */
  giveUpWaiting() {
    this.queue.giveUpWaiting();
  }

  /** No worker will come: closes the socket for good, with the connections that wait. */
  end() {
    this.isHeld = false;
    this.queue.close();
    this.#closeHandles();
  }

  /** @param {(() => void) | undefined} callback */
  #onClose(callback) {
    if (!this.rules.isKept()) {
      this.queue.close();
      this.#closeHandles(callback);
      this.rules.onClosed(this);
      return;
    }
    this.isHeld = true;
    this.rules.onHeld(this);
  }

  #others() {
    return [...this.#bySlot.values()].filter((handle) => handle !== this.handle);
  }

  /** @param {() => void} [callback] */
  #closeHandles(callback) {
    // node:cluster's own handle gets the `close` of its class back.
    delete (/** @type {{close?: unknown}} */ (this.handle).close);
    for (const other of this.#others()) other.close();
    this.handle.close(callback);
  }
}

/**
 * One socket that the workers share and accept from by themselves. The primary only keeps its handle
 * open, so that connections that no worker accepts wait in the kernel's queue.
 */
export class SharedSocket {
  isHeld = false;

  /** @param {string} name @param {TcpHandle} handle @param {SocketRules<SharedSocket>} rules */
  constructor(name, handle, rules) {
    this.name = name;
    this.handle = handle;
    this.rules = rules;
  }

  /** @returns {[string, TcpHandle][]} those that are open, by their names */
  get handles() {
    return [[this.name, this.handle]];
  }

  /** @param {number} _slot @param {TcpHandle} handle of the same address, which nobody accepts from */
  inherit(_slot, handle) {
    if (handle !== this.handle) handle.close();
  }

  serve() {
    this.isHeld = false;
    this.handle.close = (callback) => {
      if (!this.rules.isKept()) {
        this.end(callback);
        this.rules.onClosed(this);
        return;
      }
      this.isHeld = true;
      this.rules.onHeld(this);
    };
  }

  /** Its workers accept by themselves until they drain. */
  stopAccepting() {}

  get isIdle() {
    return true;
  }

  /** Those that wait do so in the kernel's queue. */
  giveUpWaiting() {}

  /** @param {() => void} [callback] */
  end(callback) {
    this.isHeld = false;
    delete (/** @type {{close?: unknown}} */ (this.handle).close);
    this.handle.close(callback);
  }
}

/**
 * Sockets that another primary listens on and serves: this one does not listen on them yet, and since
 * they listen already, that cannot fail later.
 */
export class DeferredSockets {
  /** What makes each listen, if it was asked to. @type {Map<TcpHandle, () => void>} */
  #handles = new Map();

  /** @param {TcpHandle} handle that seems to listen as soon as it is asked to */
  add(handle) {
    const { listen } = handle;
    /** @type {number | null} */
    let requestedBacklog = null;
    handle.listen = (backlog) => {
      requestedBacklog = backlog;
      return 0;
    };
    this.#handles.set(handle, () => {
      handle.listen = listen;
      if (requestedBacklog !== null) handle.listen?.(requestedBacklog);
    });
  }

  /** @param {TcpHandle} handle */
  has(handle) {
    return this.#handles.has(handle);
  }

  /** The other primary stops. */
  listen() {
    for (const listen of this.#handles.values()) listen();
    this.#handles.clear();
  }
}
