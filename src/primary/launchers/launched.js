/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { WorkerOrder } from '../worker/worker-order.js'
 */

/**
 * What every launcher hands back.
 *
 * @typedef {object} Launched
 * @property {ChildProcess} child
 * @property {boolean} hasAgent it can be asked to drain
 * @property {boolean} ownsGroup it leads a process group of its own
 *
 * @callback Launcher
 * @param {Pick<WorkerOrder, 'launch' | 'slot' | 'replaces'>} order
 * @param {string} mark of this one worker, for its environment
 * @returns {Launched}
 */

export {};
