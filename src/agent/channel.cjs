'use strict';
/**
 * The agent's messages on the channel to the primary. Node delivers a message whose `cmd` starts
 * with NODE_ as 'internalMessage', so that 'message' listeners of the program never see it.
 */
const CMD = 'NODE_NODECLUSTER';

module.exports = { onMessage, send };

/** @param {string} type @param {(message: Record<string, any>) => void} handle */
function onMessage(type, handle) {
  process.on(/** @type {any} */ ('internalMessage'), (/** @type {any} */ message) => {
    if (message?.cmd === CMD && message.type === type) handle(message);
  });
}

/** @param {string} type @param {Record<string, unknown>} [data] */
function send(type, data = {}) {
  if (!process.connected || !process.send) return;
  // If the channel breaks meanwhile, Node ends the worker by its own rule.
  process.send({ cmd: CMD, type, ...data }, undefined, undefined, () => {});
}
