'use strict';
/**
 * The primary is gone without a word. node:cluster would end the worker at once, and with it every
 * request in flight; here it serves what it has and then ends as it would by order.
 */
const { forgiveClosedChannel } = require('./broken-pipes.cjs');
const timers = require('node:timers');

/**
 * @import { Worker } from 'node:cluster'
 * @import { Drain } from './drain/drain.cjs'
 */

/** Kept from before the program can put another in its place. */
const { setTimeout } = timers;

module.exports = { outlivePrimary };

/**
 * @typedef {object} End what the primary orders for this case
 * @property {number} drainTimeoutMs
 * @property {number} killTimeoutMs
 * @property {NodeJS.Signals | null} signal that asks the program to end; null: a message does
 */

/**
 * @param {Worker} worker
 * @param {Drain} drain
 * @param {End} end
 */
function outlivePrimary(worker, drain, { drainTimeoutMs, ...end }) {
  worker.once('disconnect', () => {
    // It was by order: cluster.worker.disconnect().
    if (worker.exitedAfterDisconnect) return;
    // Else node:cluster exits when this event is over.
    worker.exitedAfterDisconnect = true;
    forgiveClosedChannel();
    drain.outlive(() => endItself(drain, end));
    drain.begin({ timeoutMs: drainTimeoutMs });
  });
}

/**
 * As the primary would. Nobody counts down for it, so it does so itself.
 * @param {Drain} drain
 * @param {Omit<End, 'drainTimeoutMs'>} end
 */
function endItself(drain, { signal, killTimeoutMs }) {
  drain.settle({ signal });
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), killTimeoutMs).unref();
  if (signal === null) process.emit('message', 'shutdown', undefined);
  else process.kill(process.pid, signal);
}
