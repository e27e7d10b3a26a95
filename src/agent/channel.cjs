'use strict';
/**
 * The agent's words on the channel to the primary. Node delivers a message whose `cmd` begins
 * with NODE_ as 'internalMessage', so that the program's own 'message' listeners never see it.
 */
const CMD = 'NODE_NODECLUSTER';

module.exports = { onMessage, send };

/**
 * @param {string} type
 * @param {(message: Record<string, any>) => void} handle
 */
function onMessage(type, handle) {
  process.on(/** @type {any} */ ('internalMessage'), (/** @type {any} */ message) => {
    if (message?.cmd === CMD && message.type === type) handle(message);
  });
}

/**
 * @param {string} type
 * @param {Record<string, unknown>} [data]
 */
function send(type, data = {}) {
  if (!process.connected || !process.send) return;
  // A channel that breaks meanwhile ends the worker by Node's own rule; nothing to add here.
  process.send({ cmd: CMD, type, ...data }, undefined, undefined, () => {});
}
