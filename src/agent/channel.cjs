'use strict';
/**
 * The channel to the primary: messages to the agent, and what node:cluster is sent. Node delivers what begins with NODE_ as
 * 'internalMessage', so that 'message' listeners of the program never see it.
 */
const { apply, clockMs, guarded, setTimeout } = require('./guard.cjs');

const CMD = 'NODE_NODECLUSTER';

module.exports = {
  onMessage,
  send,
  sendConnection,
  reportExit,
  isFlushed,
  bytesRead,
  atNextMoment,
};

/** It exists on Node 20 to 26. */
const HANDLE =
  Object.getOwnPropertySymbols(process).find(
    ({ description }) => description === 'kChannelHandle',
  ) ?? '';

/**
 * @typedef {(message: Record<string, any>, handle?: any) => void} Handler
 * @typedef {{close: () => void}} Client the handle of a connection
 *
 * @typedef {object} ListenHandle the handle of a server
 * @property {(error: number, client?: any) => void} onconnection
 * @property {(backlog: number) => number} listen
 * @property {(callback?: () => void) => void} close
 * @property {() => void} ref
 * @property {() => void} unref
 */

/** @type {Record<string, Handler[]>} */
const handlers = Object.create(null);
let isListening = false;
/** The program may remove it. */
const { send: sendMessage } = process;

/**
 * @param {string} type of a message of the primary; or `socket`, `connection`: a server of the program gets it; `lost`:
 *   what came with a message could not be received
 * @param {Handler} handle
 */
function onMessage(type, handle) {
  // First, before node:cluster passes a socket or a connection to the server. One for all: Node warns the
  // program of more than ten.
  if (!isListening)
    process.prependListener(/** @type {any} */ ('internalMessage'), guarded(receive));
  isListening = true;
  (handlers[type] ??= []).push(guarded(handle));
}

/** @param {any} message @param {any} handle that came with it */
function receive(message, handle) {
  const { cmd, act, type, msg } = message ?? {};
  if (cmd === CMD) pass(type, message, handle);
  // No descriptor was left for what came with it. The primary sends it once more.
  else if (cmd === 'NODE_HANDLE' && !handle) pass('lost', msg ?? {});
  else if (cmd !== 'NODE_CLUSTER' || !handle) return;
  else if (act === 'newconn') pass('connection', message, handle);
  else if (typeof handle.listen === 'function') pass('socket', message, handle);
}

/** @param {string} type @param {Record<string, any>} message @param {any} [handle] */
function pass(type, message, handle) {
  for (const each of handlers[type] ?? []) each(message, handle);
}

/** @param {string} type @param {Record<string, unknown>} [data] */
function send(type, data = {}) {
  // If the channel breaks meanwhile, Node ends the worker by its own rule.
  if (process.connected) passOn({ cmd: CMD, type, ...data }, undefined, () => {});
}

/** Not true: it cannot be sent. @type {(message: object, handle: unknown, callback: (error: Error | null) => void) => unknown} */
const passOn = guarded((message, handle, callback) => {
  if (!sendMessage) return false;
  apply(sendMessage, process, [message, handle, undefined, callback]);
  return true;
});

/** Whatever keeps the process from exiting, the program serves no more. @param {() => Record<string, unknown>} facts */
function reportExit(facts) {
  const factsNow = guarded(facts);
  const report = guarded(() => send('exiting', factsNow()));
  process.prependOnceListener('exit', report);
}

/**
 * Does not wait, as Node would, for the primary to confirm the handle: a busy event loop would delay that.
 * @param {string} type
 * @param {Record<string, unknown>} data
 * @param {object} client which stays open here
 * @param {() => void} onFailed it was not sent
 * @returns {boolean} false: it cannot be sent now
 */
function sendConnection(type, data, client, onFailed) {
  const channel = /** @type {{_handleQueue?: unknown}} */ (process);
  // Null on Node 20 to 26, unless a handle of the program is on its way.
  if (!process.connected || channel._handleQueue !== null) return false;
  const message = { cmd: CMD, type, ...data };
  const failed = guarded(onFailed);
  const isSent = passOn(message, client, (error) => error && failed());
  channel._handleQueue = null;
  return isSent === true;
}

/** @returns {boolean} whether everything that was sent to the primary has been written */
function isFlushed() {
  const { _handleQueue: queue, [HANDLE]: handle } = /** @type {any} */ (process);
  return queue === null && handle?.writeQueueSize === 0;
}

/** @returns {number | undefined} undefined: not known */
function bytesRead() {
  return /** @type {any} */ (process)[HANDLE]?.bytesRead;
}

/** Without it, this worker sends at another moment than the others. */
const clockNow = guarded(clockMs);

/**
 * All workers report at the same moments, so that the primary wakes up once for all, which costs a third as much.
 * @param {number} everyMs @param {() => void} callback which does not keep the process alive
 */
function atNextMoment(everyMs, callback) {
  const nowMs = clockNow() ?? 0;
  const restMs = everyMs - ((nowMs + process.ppid) % everyMs);
  // A timer may fire slightly early; the same moment must not come twice.
  return setTimeout(callback, restMs < everyMs / 10 ? restMs + everyMs : restMs).unref();
}
