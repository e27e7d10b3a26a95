/**
 * One socket that the primary listens on. node:cluster opens it, and when it closes it after its last worker,
 * it may stay open: connections wait until a worker listens on the same address again.
 */
import { nameAddress } from './addresses.js';
import { chooseFree, chooseOwn } from './queues.js';

/** @import { ListeningSockets } from './listening-sockets.js' */

/**
 * @typedef {{address?: string, port?: number}} Address
 *
 * @typedef {object} TcpHandle the part of Node's handle that is used here
 * @property {(error: number, client: TcpHandle) => void} onconnection
 * @property {(callback?: () => void) => void} close
 * @property {(backlog: number) => number} [listen] missing on connections
 * @property {(out: Address) => number} [getsockname] missing on unix sockets
 * @property {(out: Address) => number} [getpeername] missing on unix sockets
 */

/**
 * With `round-robin` and `sticky` the primary accepts, and the connections go to the workers by a queue of our own.
 * Otherwise the workers accept, and it only keeps the handle open, so that connections that no worker accepts wait in the
 * kernel's queue.
 */
export class ListeningSocket {
  isHeld = false;
  heldSinceMs = 0;
  /** This process did not open it and could not open it again, so it is never closed. */
  isLasting = false;
  /** Null: workers accept. */
  queue;
  /** As `nameAddress` names it; null before it listens. @type {string | null} */
  #address = null;

  /**
   * @param {string} name the address that it listens on
   * @param {TcpHandle} handle
   * @param {ListeningSockets} all of the app
   */
  constructor(name, handle, all) {
    this.name = name;
    this.handle = handle;
    this.all = all;
    this.queue = all.accepting === null ? this.#openQueue() : null;
  }

  #openQueue() {
    const { handle, all } = this;
    // A unix socket's clients have no addresses.
    const isSticky = all.scheduling === 'sticky' && handle.getpeername !== undefined;
    return all.queues.open({
      address: () => this.#address,
      choose: isSticky ? chooseOwn : chooseFree,
      takesBack: !isSticky,
      mayWait: () => all.mayWait(this),
    });
  }

  /** node:cluster has taken the handle and, where the primary accepts, has set its `onconnection`. */
  serve() {
    const { handle, queue } = this;
    this.isHeld = false;
    handle.close = (callback) => {
      if (!this.all.keeps(this)) return this.end(callback);
      this.isHeld = true;
      this.all.hold(this);
    };
    if (queue === null) return;
    /** @type {Address} */
    const local = {};
    handle.getsockname?.(local);
    this.#address = nameAddress(local) || this.name;
    // If accept fails, the next event follows.
    handle.onconnection = (error, client) => void (!error && client && queue.give(client));
    queue.giveWaiting();
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

/**
 * @param {TcpHandle} handle that another primary listens on and serves: this one does not listen on it yet, and
 *   since it listens already, that cannot fail later
 * @returns {() => void} makes it listen, if it was asked to
 */
export function deferListening(handle) {
  const { listen } = handle;
  /** @type {number | null} */
  let requestedBacklog = null;
  handle.listen = (backlog) => {
    requestedBacklog = backlog;
    return 0;
  };
  return () => {
    handle.listen = listen;
    if (requestedBacklog !== null) handle.listen?.(requestedBacklog);
  };
}
