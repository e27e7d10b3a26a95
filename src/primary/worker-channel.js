/** What comes from a worker on its channel beside the words of its agent. */
import { guardChannel } from './guarded-channel.js';

/**
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {import('./worker-handle.js').WorkerHandle} WorkerHandle
 */

/**
 * @param {WorkerHandle} worker
 * @param {ChildProcess} child
 */
export function watchChannel(worker, child) {
  guardChannel(child, (error) => onBroken(worker, child, error));
  child.on('message', (message) => {
    if (message === 'ready') worker.readiness.saidReady();
    else worker.emit('message', message);
  });
}

/**
 * It could neither be handed a connection nor be asked to drain any more.
 * @param {WorkerHandle} worker
 * @param {ChildProcess} child
 * @param {Error} error
 */
function onBroken(worker, child, error) {
  worker.readiness.end();
  worker.failure = 'wrote to the channel that it has to its parent what is no message';
  worker.output.add(error.message);
  child.kill('SIGKILL');
}
