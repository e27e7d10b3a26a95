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
const { shareExclusive } = require('../share-exclusive.cjs');

/** @import { EventEmitter } from 'node:events' */

module.exports = { holdWhileListening };

/** @param {(server: net.Server) => void} onListen called before each listen */
function holdWhileListening(onListen) {
  unreferenceChannel();
  const hold = newHoldOfCallers();
  const onCall = (/** @type {net.Server} */ server) => {
    onListen(server);
    return hold(server);
  };
  patch(net.Server.prototype, 'listen', onCall, shareExclusive);
  patch(dgram.Socket.prototype, 'bind', hold);
}

function unreferenceChannel() {
  const channel = /** @type {any} */ (process.channel);
  const count = process.listenerCount('message') + process.listenerCount('disconnect');
  for (let index = 0; index < count; index++) channel?.unrefCounted?.();
}

/**
 * @param {any} prototype
 * @param {'listen' | 'bind'} method that asks the primary for a socket
 * @param {(caller: any) => () => void} before returns a function that undoes it
 * @param {(args: any[]) => any[]} [change]
 */
function patch(prototype, method, before, change = (args) => args) {
  const original = prototype[method];
  /** @this {EventEmitter} @param {any[]} args */
  const value = function (...args) {
    const cancel = before(this);
    try {
      return Reflect.apply(original, this, change(args));
    } catch (error) {
      cancel();
      throw error;
    }
  };
  Object.defineProperties(value, { name: { value: method }, length: { value: original.length } });
  Object.defineProperty(prototype, method, { configurable: true, writable: true, value });
}

/**
 * @returns {(caller: EventEmitter) => () => void} keeps the process alive until the caller listens
 *   or fails; its result undoes that, unless an earlier call of the same caller still waits
 */
function newHoldOfCallers() {
  const processHold = newProcessHold();
  /** @type {Set<EventEmitter>} */
  const waiting = new Set();
  const known = new WeakSet();
  const remove = (/** @type {EventEmitter} */ caller) => {
    waiting.delete(caller);
    if (waiting.size === 0) processHold.release();
  };
  return (caller) => {
    const waitedBefore = waiting.has(caller);
    waiting.add(caller);
    processHold.hold();
    // Not 'error': with a listener, EADDRINUSE would no longer crash the program.
    const ends = known.has(caller) ? [] : ['listening', errorMonitor, 'close'];
    for (const name of ends) caller.on(name, () => remove(caller));
    known.add(caller);
    return () => void (waitedBefore || remove(caller));
  };
}
