/** What a worker says on its channel: its agent, its program, and that it closes it. */
import { identify } from '../../shared/process-identity.js';
import { guardChannel } from './guarded-channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { AgentNews } from './agent-link.js'
 * @import { WorkerHandle } from './worker-handle.js'
 */

/** In which one whose channel has closed because it is dead is known to be so, in milliseconds. */
const EXIT_MS = 200;

/**
 * @param {WorkerHandle} worker
 * @returns {AgentNews}
 */
export function newsOf(worker) {
  return {
    loaded: () => worker.readiness.loaded(),
    listening: (name) => worker.opened(name),
    closed: (name) => void worker.listening.delete(name),
    beat: () => worker.pulse.beat(),
    telemetry: (report) => worker.telemetry.received(report),
  };
}

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
  child.once('disconnect', () => onClosed(worker, child));
}

/**
 * The program has closed it, or is dead. One that had listened serves nobody any more; in fork mode,
 * and of one that only works, nothing depends on it.
 * @param {WorkerHandle} worker
 * @param {ChildProcess} child
 */
function onClosed(worker, child) {
  const isServing = () => worker.status === 'starting' || worker.status === 'online';
  if (worker.listenedAtMs === null || worker.failure !== null || !isServing()) return;
  const { autorestart, stopExitCodes, drainTimeoutMs, killTimeoutMs } = worker.launch.spec;
  // Where its exit decides whether there is to be another, that is waited for as long as it may take.
  const isOpen = !autorestart || stopExitCodes.length > 0;
  const timer = setTimeout(
    () => {
      const { pid, exitCode, signalCode } = child;
      const isDead = exitCode !== null || signalCode !== null;
      if (isDead || !isServing() || pid === undefined || identify(pid) === null) return;
      worker.abandon('closed the channel to its parent', isOpen ? 0 : drainTimeoutMs);
    },
    isOpen ? drainTimeoutMs + killTimeoutMs : EXIT_MS,
  );
  child.once('exit', () => clearTimeout(timer));
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
