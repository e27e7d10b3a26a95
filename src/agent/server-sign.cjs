'use strict';
/** Whether the program has loaded what servers listen with, although it does not listen yet. */
const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const { onMessage, send } = require('./channel.cjs');

/** @import { ServerSign } from '../lifecycle/readiness.js' */

module.exports = { answerServerSign };

/** Node before 22 has no such channel. */
const REQUIRED = 'tracing:module.require:start';
/** What http, https and http2 load, and what an `import` of net does. The agent loads net itself, with require(). */
const SIGNS = ['NativeModule _http_server', 'NativeModule internal/blocklist'];

let hasRequiredNet = false;

/** Replies to the primary, which asks once if the program has not listened for a while. Call it after the agent has loaded net. */
function answerServerSign() {
  subscribe(REQUIRED, noteRequire);
  onMessage('server-sign', () => {
    unsubscribe(REQUIRED, noteRequire);
    send('server-sign', { sign: findSign() });
  });
}

/** @param {unknown} message */
function noteRequire(message) {
  const { id } = /** @type {{id: string}} */ (message);
  hasRequiredNet ||= id === 'net' || id === 'node:net';
}

/** @returns {ServerSign} */
function findSign() {
  const { moduleLoadList = [] } = /** @type {{moduleLoadList?: string[]}} */ (
    /** @type {unknown} */ (process)
  );
  const isServer = hasRequiredNet || SIGNS.some((sign) => moduleLoadList.includes(sign));
  return isServer ? 'server' : 'none';
}
