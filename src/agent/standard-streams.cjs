'use strict';
/**
 * What the program writes to stdout and stderr: neither lost when it exits, nor its end when the primary dies. What it
 * reads from stdin does not end then either.
 */
const { onMessage } = require('./channel.cjs');

/**
 * @import { Worker } from 'node:cluster'
 * @import { EventEmitter } from 'node:events'
 */

module.exports = { watchStdin, writeThrough, ignoreBrokenPipes, ignoreClosedChannel };

const { apply, guarded, replace } = require('./guard.cjs');

/** ECONNRESET: the primary died before it had read everything. */
const ignoredCodes = new Set(['EPIPE', 'ECONNRESET']);

/** The program opens each by its first use. @param {(stream: any) => void} callback @param {readonly string[]} names */
function onceOpened(callback, names = ['stdout', 'stderr']) {
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(process, name);
    const open = property?.get;
    if (!property?.configurable || !open) continue;
    const opened = guarded(callback);
    let isKnown = false;
    Object.defineProperty(process, name, {
      ...property,
      get() {
        const stream = apply(open, process, []);
        if (!isKnown) opened(stream);
        isKnown = true;
        return stream;
      },
    });
  }
}

/**
 * The primary sends the end of stdin that it writes to, which is kept open here: when only the primary had it, its death
 * would be the end of stdin, and of a program that still has requests to finish.
 * @returns {() => {hasStdinEnded: boolean}} whether the program has read its stdin to the end
 */
function watchStdin() {
  /** @type {any} */
  let stdin;
  onceOpened((opened) => (stdin = opened), ['stdin']);
  onMessage('stdin', (_message, end) => end?.unref());
  return () => ({ hasStdinEnded: stdin?.readableEnded === true });
}

/**
 * Makes writes to stdout and stderr wait for room in the pipe, as writes to a file do. Under plain
 * `node` they are buffered in the process, and lost when it crashes or calls process.exit().
 */
function writeThrough() {
  onceOpened(({ _handle: handle }) => handle?.setBlocking?.(true));
}

/**
 * Writing to a primary that died must not crash the program in the middle of a response. What it writes just then already
 * fails, so this has to be in place before the program runs.
 * @param {Worker} worker emits every 'error' of the process again, but without a listener
 */
function ignoreBrokenPipes(worker) {
  onceOpened(ignoreErrors);
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
  const isIgnored = guarded(
    (/** @type {any} */ error) =>
      ignoredCodes.has(error?.code) && emitter.listenerCount('error') === 0,
  );
  /** @this {EventEmitter} @param {any[]} args */
  const value = function (...args) {
    if (args[0] === 'error' && isIgnored(args[1])) return false;
    return apply(emit, this, args);
  };
  replace(emitter, 'emit', value);
}
