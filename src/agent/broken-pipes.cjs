'use strict';
/**
 * Writing to a primary that died must not crash the program in the middle of a response. Under
 * plain `node` its stdout would outlive the primary. What the program writes at the moment when the
 * primary dies already fails, so this has to be in place before the program runs.
 */

const { onceOpened } = require('./standard-streams.cjs');

/**
 * @import { Worker } from 'node:cluster'
 * @import { EventEmitter } from 'node:events'
 */

module.exports = { ignoreBrokenPipes, ignoreClosedChannel };

/** ECONNRESET: the primary died before it had read everything. */
const ignoredCodes = new Set(['EPIPE', 'ECONNRESET']);

/** @param {Worker} worker emits every 'error' of the process again, but without a listener */
function ignoreBrokenPipes(worker) {
  onceOpened('stdout', ignoreErrors);
  onceOpened('stderr', ignoreErrors);
  ignoreErrors(worker);
}

/** The primary is dead, and the program neither knows that nor is at fault. */
function ignoreClosedChannel() {
  ignoredCodes.add('ERR_IPC_CHANNEL_CLOSED').add('ERR_IPC_DISCONNECTED');
}

/**
 * Ignores only errors without a listener, which would crash the program. Adding a listener instead
 * would change `console`: it counts them, and swallows errors itself if there are none.
 * @param {EventEmitter} emitter
 */
function ignoreErrors(emitter) {
  const { emit } = emitter;
  emitter.emit = function (/** @type {any[]} */ ...args) {
    const isIgnored = args[0] === 'error' && ignoredCodes.has(args[1]?.code);
    if (isIgnored && this.listenerCount('error') === 0) return false;
    return Reflect.apply(emit, this, args);
  };
}
