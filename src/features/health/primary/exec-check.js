/** A health check that is a command. */
import { commandFailure } from '../../../lifecycle/exits/describe-exit.js';
import { runBounded } from '../../../shared/processes/bounded-command.js';
import { workerEnvironment } from '../../../primary/launchers/environment.js';
import { markOfCheck } from '../../../primary/processes/strays.js';

/** @import { WorkerHandle } from '../../../primary/worker/handle.js' */

/** @typedef {Pick<WorkerHandle, 'launch' | 'slot' | 'pid' | 'mark'>} CheckedWorker */

/**
 * @param {readonly string[]} command
 * @param {CheckedWorker} worker
 * @param {number} timeoutMs after which it is killed, with what it started
 * @param {AbortSignal} ended the worker needs no check any more: it is killed too
 * @returns {Promise<string | null>} why it failed; null: it exited with 0
 */
export async function checkByCommand(command, { launch, slot, pid, mark }, timeoutMs, ended) {
  const variables = workerEnvironment(launch, slot, markOfCheck(mark));
  const context = { cwd: launch.cwd, env: { ...variables, NODECLUSTER_PID: String(pid) } };
  return commandFailure(command[0], await runBounded(command, context, { timeoutMs, ended }));
}
