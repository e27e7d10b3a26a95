'use strict';
/**
 * The agent's messages on the channel to the primary. Node delivers a message whose `cmd` starts
 * with NODE_ as 'internalMessage', so that 'message' listeners of the program never see it.
 */
const CMD = 'NODE_NODECLUSTER';

module.exports = { onMessage, send };

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
