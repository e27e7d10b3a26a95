'use strict';
/** What the program writes is not lost when it exits, nor its end when the primary dies; nor is what it reads from stdin. */
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
 * The primary sends the end of stdin that it writes to, which is kept open here: otherwise its death would be the end of
 * stdin, and of a program that still has requests to finish. Returns whether the program has read stdin to the end.
 */
function watchStdin() {
  /** @type {any} */
  let stdin;
  onceOpened((opened) => (stdin = opened), ['stdin']);
  onMessage('stdin', (_message, end) => end?.unref());
  return () => ({ hasStdinEnded: stdin?.readableEnded === true });
}

/** Writes wait for room in the pipe. Plain `node` buffers them, and loses them when it crashes or calls process.exit(). */
function writeThrough() {
  onceOpened(({ _handle: handle }) => handle?.setBlocking?.(true));
}

/**
 * Writing to a primary that died must not crash the program in the middle of a response, also just as it dies.
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
 * Only errors without a listener, which would crash the program. Adding a listener would change `console`, which counts
 * them.
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
