'use strict';
/**
 * node:cluster's own listeners keep the channel referenced, so a program with nothing left to do
 * would never exit. Under plain `node` it does. But while a listen or a bind waits for the
 * primary's reply, nothing else may be keeping the process alive.
 */
const dgram = require('node:dgram');
const { errorMonitor } = require('node:events');
const net = require('node:net');
const { newProcessHold } = require('../process-hold.cjs');

/** @import { EventEmitter } from 'node:events' */

module.exports = { holdWhileListening };

/** @param {(server: net.Server) => void} onListen called before each listen */
function holdWhileListening(onListen) {
  unreferenceChannel();
  const waiting = new WaitingForPrimary();
  patch(net.Server.prototype, 'listen', waiting, onListen);
  patch(dgram.Socket.prototype, 'bind', waiting, () => {});
}

function unreferenceChannel() {
  const channel = /** @type {any} */ (process.channel);
  const count = process.listenerCount('message') + process.listenerCount('disconnect');
  for (let index = 0; index < count; index++) channel?.unrefCounted?.();
}

/**
 * @param {any} prototype
 * @param {'listen' | 'bind'} method that asks the primary for a socket
 * @param {WaitingForPrimary} waiting
 * @param {(caller: any) => void} before
 */
function patch(prototype, method, waiting, before) {
  const original = prototype[method];
  Object.defineProperty(prototype, method, {
    configurable: true,
    writable: true,
    value: Object.defineProperties(
      /** @this {EventEmitter} @param {any[]} args */
      function (...args) {
        before(this);
        const cancel = waiting.add(this);
        try {
          return Reflect.apply(original, this, args);
        } catch (error) {
          cancel();
          throw error;
        }
      },
      { name: { value: method }, length: { value: original.length } },
    ),
  });
}

class WaitingForPrimary {
  #processHold = newProcessHold();
  /** @type {Set<EventEmitter>} */
  #waiting = new Set();
  #known = new WeakSet();

  /**
   * @param {EventEmitter} caller
   * @returns {() => void} takes this back, but not an earlier call that still waits
   */
  add(caller) {
    const waitedBefore = this.#waiting.has(caller);
    this.#waiting.add(caller);
    this.#processHold.hold();
    if (!this.#known.has(caller)) this.#removeAtEnd(caller);
    return () => void (waitedBefore || this.#remove(caller));
  }

  /** @param {EventEmitter} caller */
  #removeAtEnd(caller) {
    this.#known.add(caller);
    // Not 'error': with a listener, EADDRINUSE would no longer crash the program.
    for (const name of ['listening', errorMonitor, 'close']) {
      caller.on(name, () => this.#remove(caller));
    }
  }

  /** @param {EventEmitter} caller */
  #remove(caller) {
    this.#waiting.delete(caller);
    if (this.#waiting.size === 0) this.#processHold.release();
  }
}
