'use strict';
const { onMessage, send } = require('./channel.cjs');

module.exports = { answerStopSignal, chooseStopSignal };

/** Replies to the primary, which asks before it stops the worker. */
function answerStopSignal() {
  onMessage('stop-signal', () => send('stop-signal', { signal: chooseStopSignal('auto') }));
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
