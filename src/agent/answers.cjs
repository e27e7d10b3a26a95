'use strict';
/** What the primary asks about the program, in cluster mode and in fork mode. */
const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const { onMessage, send } = require('./channel.cjs');

/** @import { ServerSign } from '../lifecycle/readiness.js' */

module.exports = { answerPrimary, chooseStopSignal };

/** Node before 22 has no such channel. */
const REQUIRED = 'tracing:module.require:start';
/** What http, https and http2 load, and what an `import` of net does. The agent loads net itself, with require(). */
const SIGNS = ['NativeModule _http_server', 'NativeModule internal/blocklist'];

let hasRequiredNet = false;

/** Call it after the agent has loaded net. */
function answerPrimary() {
  subscribe(REQUIRED, noteRequire);
  // It asks once whether the program has loaded what servers listen with, if it has not listened for a while.
  onMessage('server-sign', () => {
    unsubscribe(REQUIRED, noteRequire);
    send('server-sign', { sign: findSign() });
  });
  // Before it stops the worker.
  onMessage('stop-signal', () => send('stop-signal', { signal: chooseStopSignal('auto') }));
}

/** @param {unknown} message */
function noteRequire(message) {
  const { id } = /** @type {{id: string}} */ (message);
  hasRequiredNet ||= id === 'net' || id === 'node:net';
}

/** @returns {ServerSign} */
function findSign() {
  /** @type {{moduleLoadList?: string[]}} */
  const { moduleLoadList = [] } = /** @type {any} */ (process);
  const isServer = hasRequiredNet || SIGNS.some((sign) => moduleLoadList.includes(sign));
  return isServer ? 'server' : 'none';
}

/**
 * `auto` is for programs written for PM2, which handle only SIGINT. SIGTERM is for those that handle
 * it, and ends those that handle neither.
 * @param {NodeJS.Signals | 'auto'} killSignal
 * @param {(signal: NodeJS.Signals) => number} [countListeners] of the program
 */
function chooseStopSignal(killSignal, countListeners = (name) => process.listenerCount(name)) {
  if (killSignal !== 'auto') return killSignal;
  const handlesOnlySigint = countListeners('SIGINT') > 0 && countListeners('SIGTERM') === 0;
  return handlesOnlySigint ? 'SIGINT' : 'SIGTERM';
}
