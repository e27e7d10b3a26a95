'use strict';
/**
 * The channel to the primary, with one listener for all that the agent reads from it: its own messages, by
 * type, and what node:cluster is sent. Node delivers a message whose `cmd` starts with NODE_ as
 * 'internalMessage', so that 'message' listeners of the program never see it.
 */
/** The program may replace the globals. */
const { setTimeout } = require('node:timers');

const CMD = 'NODE_NODECLUSTER';

module.exports = {
  onMessage,
  onSocket,
  onConnection,
  send,
  sendConnection,
  reportExit,
  isFlushed,
  bytesRead,
  startHeartbeat,
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

/** By type. @type {Map<string, Handler>} */
const handlers = new Map();
/** @type {Handler[]} */
const ofSockets = [];
/** @type {Handler[]} */
const ofConnections = [];
let isListening = false;

function listen() {
  if (isListening) return;
  isListening = true;
  // First, before node:cluster passes a socket or a connection to the server. One for all: Node warns the
  // program of more than ten.
  process.prependListener(/** @type {any} */ ('internalMessage'), receive);
}

/** @param {any} message @param {any} handle that came with it */
function receive(message, handle) {
  const { cmd } = message ?? {};
  if (cmd === CMD) return void handlers.get(message.type)?.(message, handle);
  if (cmd !== 'NODE_CLUSTER' || !handle) return;
  const ofHandles = message.act === 'newconn' ? ofConnections : ofSockets;
  for (const pass of ofHandles) pass(message, handle);
}

/** @param {string} type that has no handler yet @param {Handler} handle */
function onMessage(type, handle) {
  listen();
  handlers.set(type, handle);
}

/** @param {Handler} handle a server of the program gets that socket to listen on */
function onSocket(handle) {
  listen();
  ofSockets.push((message, socket) => {
    if (typeof socket.listen === 'function') handle(message, socket);
  });
}

/** @param {Handler} handle the primary hands over a connection to a server of the program */
function onConnection(handle) {
  listen();
  ofConnections.push(handle);
}

/** @param {string} type @param {Record<string, unknown>} [data] */
function send(type, data = {}) {
  if (!process.connected || !process.send) return;
  // If the channel breaks meanwhile, Node ends the worker by its own rule.
  process.send({ cmd: CMD, type, ...data }, undefined, undefined, () => {});
}

/**
 * Its event loop has ended: whatever keeps the process from exiting, the program does not serve any more.
 * @param {() => Record<string, unknown>} facts
 */
function reportExit(facts) {
  process.prependOnceListener('exit', () => send('exiting', facts()));
}

/**
 * Node would send nothing else before the primary has confirmed the handle in Node's own way, and a busy
 * event loop would delay that. The primary does not confirm this one so.
 * @param {string} type
 * @param {Record<string, unknown>} data
 * @param {object} client the handle of a connection, which stays open here
 * @param {() => void} onFailed it was not sent
 * @returns {boolean} false: it cannot be sent now
 */
function sendConnection(type, data, client, onFailed) {
  const channel = /** @type {{_handleQueue?: unknown}} */ (process);
  // Null on Node 20 to 26, unless a handle of the program is on its way.
  if (!process.connected || !process.send || channel._handleQueue !== null) return false;
  const message = { cmd: CMD, type, ...data };
  process.send(message, /** @type {any} */ (client), undefined, (error) => error && onFailed());
  channel._handleQueue = null;
  return true;
}

/** @returns {boolean} whether everything that was sent to the primary has been written */
function isFlushed() {
  const { _handleQueue: queue, [HANDLE]: handle } = /** @type {any} */ (process);
  return queue === null && handle?.writeQueueSize === 0;
}

/** @returns {number | undefined} from the primary; undefined: not known */
function bytesRead() {
  return /** @type {any} */ (process)[HANDLE]?.bytesRead;
}

/**
 * Reports to the primary at an interval that the event loop turns.
 * @param {number} everyMs @param {() => Record<string, unknown>} facts to report with each
 */
function startHeartbeat(everyMs, facts) {
  const next = () => {
    send('beat', facts());
    atNextMoment(everyMs, next);
  };
  atNextMoment(everyMs, next);
}

/**
 * All workers of a primary send what they report at an interval at the same moments of the common
 * monotonic clock, so that the primary wakes up once for all of them, which costs a third as much.
 * @param {number} everyMs
 * @param {() => void} callback which does not keep the process alive
 * @returns {NodeJS.Timeout} of the callback
 */
function atNextMoment(everyMs, callback) {
  const nowMs = Number(process.hrtime.bigint() / 1_000_000n);
  const restMs = everyMs - ((nowMs + process.ppid) % everyMs);
  // A timer may fire slightly early; the same moment must not come twice.
  return setTimeout(callback, restMs < everyMs / 10 ? restMs + everyMs : restMs).unref();
}
