'use strict';

/**
 * @import { Worker } from 'node:cluster'
 * @import { EventEmitter } from 'node:events'
 */

/**
 * Writing to a parent that is gone must not end the program in the middle of an answer. Under
 * plain `node` nobody's death makes its stdout break; here the pipes and the channel end in the
 * primary, and what the program writes in the instant of its death already fails.
 */

module.exports = { forgiveBrokenPipes, forgiveClosedChannel };

/** ECONNRESET: the primary had not read all when it died. */
const forgiven = new Set(['EPIPE', 'ECONNRESET']);

/**
 * From before the program runs: its writes may fail before it is known that the primary died.
 * @param {Worker} worker gets every 'error' of the process, and so is the
 *   one that nobody listens to
 */
function forgiveBrokenPipes(worker) {
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) forgiveStream(name);
  forgive(worker);
}

/** The channel is gone for good, and no fault of the program's that it does not know. */
function forgiveClosedChannel() {
  forgiven.add('ERR_IPC_CHANNEL_CLOSED').add('ERR_IPC_DISCONNECTED');
}

/**
 * A stream is opened when the program first asks for it, and not before.
 * @param {'stdout' | 'stderr'} name
 */
function forgiveStream(name) {
  const described = Object.getOwnPropertyDescriptor(process, name);
  const open = described?.get;
  if (!described?.configurable || !open) return;
  let isForgiven = false;
  Object.defineProperty(process, name, {
    ...described,
    get() {
      const stream = Reflect.apply(open, process, []);
      if (!isForgiven) forgive(stream);
      isForgiven = true;
      return stream;
    },
  });
}

/**
 * Only what nobody listens for, and would end the program. A listener would not do: console counts
 * them, and swallows errors itself when there are none.
 * @param {EventEmitter} emitter
 */
function forgive(emitter) {
  const { emit } = emitter;
  emitter.emit = function (/** @type {any[]} */ ...args) {
    const isForgiven = args[0] === 'error' && forgiven.has(args[1]?.code);
    if (isForgiven && this.listenerCount('error') === 0) return false;
    return Reflect.apply(emit, this, args);
  };
}
