/** Kills a daemon that does not answer. */
import { waitForExit } from '../../api/daemon-exit.js';
import { isTransient } from '../../features/run/transient-home.js';
import { NodeclusterError } from '../../errors/error.js';
import { staysStopped } from '../../shared/processes/activity.js';
import { readLocks } from '../../shared/processes/daemon-lock.js';
import { isCertain } from '../../shared/processes/identity.js';
import { sendSignal } from '../../shared/processes/signal.js';
import { hasRunningApps } from './recorded-apps.js';

/**
 * @import { HomePaths } from '../../shared/home.js'
 * @import { ProcessIdentity } from '../../shared/processes/records.js'
 * @import { Context } from '../context.js'
 */

const NO_ANSWER = ['E_DAEMON_SILENT', 'E_DAEMON_UNREACHABLE'];

/**
 * @param {Pick<Context, 'note'>} context
 * @param {HomePaths} paths
 * @param {unknown} thrown when it was connected to
 * @param {(holder: ProcessIdentity) => boolean | Promise<boolean>} [mayKill]
 * @throws {NodeclusterError} the same, if it does not mean that a daemon runs and does not answer
 */
export async function killSilent({ note }, { home }, thrown, mayKill = () => true) {
  const error = NodeclusterError.from(thrown);
  const holder = readLocks(home).at(-1)?.holder;
  const isSilent = NO_ANSWER.includes(error.code) && holder?.pid === error.data.pid;
  if (!isSilent || !holder || !isCertain(holder) || !(await mayKill(holder))) throw error;
  sendSignal(holder.pid, 'SIGKILL');
  await waitForExit(holder);
  note(`The daemon (pid ${holder.pid}) did not answer and was killed.`);
}

/**
 * The primaries would do so, unless they were stopped with it. Ctrl-Z may have stopped the daemon of `run`.
 * @param {Pick<Context, 'note'>} context
 * @param {HomePaths} paths
 * @param {unknown} thrown
 * @throws {NodeclusterError} the same, if no signal has stopped the daemon or no app runs
 */
export function killStopped(context, paths, thrown) {
  const isReplaced = hasRunningApps(paths) && !isTransient(paths.home);
  return killSilent(context, paths, thrown, (holder) => isReplaced && staysStopped(holder));
}
