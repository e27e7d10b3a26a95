'use strict';
/** What the primary asks about the program, in cluster mode and in fork mode. */
const { performance } = require('node:perf_hooks');
const { onMessage, send } = require('./channel.cjs');
const { countUnopened } = require('./listening.cjs');

/**
 * @import { EventLoopUtilization } from 'node:perf_hooks'
 */

module.exports = { answerPrimary, chooseStopSignal };

const eventLoopUtilization = performance.eventLoopUtilization.bind(performance);
/** Share of the time for which a program that is still being loaded uses its event loop. */
const BUSY = 0.5;

/** When it was last asked. @type {EventLoopUtilization} */
let asked = eventLoopUtilization();

function answerPrimary() {
  // It asks again and again while the program has not listened and may be about to.
  onMessage('server-sign', () => {
    const now = eventLoopUtilization();
    const { utilization } = eventLoopUtilization(now, asked);
    asked = now;
    const used = utilization > BUSY ? 'busy' : 'none';
    send('server-sign', { sign: countUnopened() > 0 ? 'server' : used });
  });
  // Before it stops the worker.
  onMessage('stop-signal', () => send('stop-signal', { signal: chooseStopSignal('auto') }));
}

/**
 * `auto` is for programs written for PM2, which handle only SIGINT; SIGTERM ends those that handle neither.
 * @param {NodeJS.Signals | 'auto'} killSignal
 * @param {(signal: NodeJS.Signals) => number} [countListeners] of the program
 */
function chooseStopSignal(killSignal, countListeners = (name) => process.listenerCount(name)) {
  if (killSignal !== 'auto') return killSignal;
  const handlesOnlySigint = countListeners('SIGINT') > 0 && countListeners('SIGTERM') === 0;
  return handlesOnlySigint ? 'SIGINT' : 'SIGTERM';
}
