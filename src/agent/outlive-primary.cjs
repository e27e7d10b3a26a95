'use strict';
/**
 * When the primary dies, node:cluster would end the worker at once, with every request in flight.
 * Here the worker finishes them and then exits as if the primary had stopped it.
 */
/** The program may replace the global. */
const { setTimeout } = require('node:timers');
const { ignoreClosedChannel } = require('./standard-streams.cjs');
const { chooseStopSignal } = require('./stop-signal.cjs');

/**
 * @import { Worker } from 'node:cluster'
 * @import { Drain } from './drain.cjs'
 */

module.exports = { outlivePrimary };

/**
 * @typedef {object} End what the primary orders for this case
 * @property {number} drainTimeoutMs
 * @property {number} killTimeoutMs
 * @property {NodeJS.Signals | 'auto' | null} signal that asks the program to exit; null: a message does
 */

/** @param {Worker} worker @param {Drain} drain @param {End} end */
function outlivePrimary(worker, drain, { drainTimeoutMs, ...end }) {
  worker.once('disconnect', () => {
    // The program called cluster.worker.disconnect().
    if (worker.exitedAfterDisconnect) return;
    // Otherwise node:cluster exits at the end of this event.
    worker.exitedAfterDisconnect = true;
    ignoreClosedChannel();
    drain.onDrained(() => endItself(drain, end));
    drain.begin({ timeoutMs: drainTimeoutMs });
  });
}

/** @param {Drain} drain @param {Omit<End, 'drainTimeoutMs'>} end */
function endItself(drain, { signal: killSignal, killTimeoutMs }) {
  // Chosen once: settling adds a listener.
  const signal = killSignal && chooseStopSignal(killSignal);
  drain.settle({ signal });
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), killTimeoutMs).unref();
  if (signal === null) process.emit('message', 'shutdown', undefined);
  else process.kill(process.pid, signal);
}
