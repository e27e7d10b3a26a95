/**
 * One socket that the primary listens on for round-robin or sticky scheduling. node:cluster opens it, but
 * the connections go to the workers by a queue of our own. When node:cluster closes it after its last
 * worker, it stays open if its rules say so: connections wait until a worker listens on the same address
 * again.
 */
import { nameAddress } from '../addresses/name-address.js';
import { chooseFree, chooseOwn } from './choose-worker.js';

/** @import { Queues } from '../handover/queues.js' */

/**
 * @typedef {{address?: string, port?: number}} Address
 *
 * @typedef {object} TcpHandle the part of Node's handle that is used here
 * @property {(error: number, client: TcpHandle) => void} onconnection
 * @property {(callback?: () => void) => void} close
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
 */

export class ListeningSocket {
  isHeld = false;
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

  /** node:cluster has taken the handle and set its `onconnection`. */
  serve() {
    const { handle } = this;
    this.isHeld = false;
    /** @type {Address} */
    const local = {};
    handle.getsockname?.(local);
    this.#address = nameAddress(local) || this.name;
    handle.onconnection = (error, client) => {
      // If accept fails, the next event follows.
      if (!error && client) this.queue.give(client);
    };
    handle.close = (callback) => this.#onClose(callback);
    this.queue.giveWaiting();
  }

  /** Another process has the same socket, and accepts what comes from now on. */
  stopAccepting() {
    restoreClose(this.handle);
    this.handle.close();
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
    restoreClose(this.handle);
    this.queue.close();
    this.handle.close();
  }

  /** @param {(() => void) | undefined} callback */
  #onClose(callback) {
    if (!this.rules.isKept()) {
      restoreClose(this.handle);
      this.queue.close();
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
