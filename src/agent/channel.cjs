'use strict';
/**
 * The agent's messages on the channel to the primary. Node delivers a message whose `cmd` starts
 * with NODE_ as 'internalMessage', so that 'message' listeners of the program never see it.
 */
const CMD = 'NODE_NODECLUSTER';

module.exports = { onMessage, send, sendHandle, channelHandle };

/** It exists on Node 20 to 26. */
const HANDLE =
  Object.getOwnPropertySymbols(process).find(
    ({ description }) => description === 'kChannelHandle',
  ) ?? '';

/** @typedef {(message: Record<string, any>, handle?: any) => void} Handler */

/** By type. @type {Map<string, Handler>} */
const handlers = new Map();

/** @param {string} type that has no handler yet @param {Handler} handle */
function onMessage(type, handle) {
  // One listener for all: Node warns the program of more than ten.
  if (handlers.size === 0) process.on(/** @type {any} */ ('internalMessage'), dispatch);
  handlers.set(type, handle);
}

/** @param {any} message @param {unknown} handle that came with it */
function dispatch(message, handle) {
  if (message?.cmd === CMD) handlers.get(message.type)?.(message, handle);
}

/** @param {string} type @param {Record<string, unknown>} [data] */
function send(type, data = {}) {
  if (!process.connected || !process.send) return;
  // If the channel breaks meanwhile, Node ends the worker by its own rule.
  process.send({ cmd: CMD, type, ...data }, undefined, undefined, () => {});
}

/**
 * Node would send nothing else before the primary has confirmed the handle in Node's own way, and a busy
 * event loop would delay that. The primary does not confirm this one so.
 * @param {string} type
 * @param {Record<string, unknown>} data
 * @param {object} handle which stays open here
 * @param {() => void} onFailed it was not sent
 * @returns {boolean} false: it cannot be sent now
 */
function sendHandle(type, data, handle, onFailed) {
  const channel = /** @type {{_handleQueue?: unknown}} */ (/** @type {unknown} */ (process));
  // Null on Node 20 to 26, unless a handle of the program is on its way.
  if (!process.connected || !process.send || channel._handleQueue !== null) return false;
  const message = { cmd: CMD, type, ...data };
  process.send(message, /** @type {any} */ (handle), undefined, (error) => error && onFailed());
  channel._handleQueue = null;
  return true;
}

/** @returns {{writeQueueSize: number, bytesRead: number} | undefined} how far the channel is */
function channelHandle() {
  return /** @type {any} */ (process)[HANDLE];
}
