/** Reads from the files of a home directory which apps it has, without a daemon. */
import { findDesired } from '../shared/files/desired-file.js';
import { runningPrimaries, workersIn } from '../shared/processes/primary-record.js';
import { NodeclusterError } from '../errors/error.js';
import { readLocks } from '../shared/processes/daemon-lock.js';
import { isCertain, isAlive } from '../shared/processes/identity.js';
import { sendSignal } from '../shared/processes/signal.js';
import { poll } from '../shared/deadline.js';

/**
 * @import { HomePaths } from '../shared/home.js'
 * @import { ProcessIdentity } from '../shared/processes/records.js'
 * @import { Context } from '../cli/context.js'
 */

/** @param {HomePaths} paths @returns isRunning: or its primary may be @throws {NodeclusterError} E_HOME_READ */
export function recordedApps(paths) {
  const { apps, from } = findDesired(paths.desired);
  const running = runningPrimaries(paths);
  const isRunning = (/** @type {string} */ name) =>
    running.some((record) => record === null || workersIn(record).has(name));
  if (from === null) {
    // The daemon will report it, and adopt what runs.
    const names = running.flatMap((record) => (record ? [...workersIn(record).keys()] : []));
    return names.map((name) => ({ name, cwd: undefined, isStopped: false, isRunning: true }));
  }
  return apps.flatMap((each) => {
    // The daemon sets aside what has no name.
    if (typeof each?.spec?.name !== 'string') return [];
    const { name, cwd } = each.spec;
    // One that waits to be started is to run.
    const isStopped = Boolean(each.stopped && !each.waitsFor);
    return { name, cwd, isStopped, isRunning: isRunning(name) };
  });
}

/** True even if no daemon is running: the primaries will start one. @param {HomePaths} paths */
export function hasRunningApps(paths) {
  return runningPrimaries(paths).length > 0;
}

/**
 * @param {Pick<Context, 'note'>} context
 * @param {HomePaths} paths
 * @param {unknown} thrown when it was connected to
 * @throws {NodeclusterError} the same, if it does not mean that a daemon runs and does not answer
 */
export async function killSilent({ note }, { home }, thrown) {
  const error = NodeclusterError.from(thrown);
  const isSilent = error.code === 'E_DAEMON_SILENT';
  const holder = readLocks(home).at(-1)?.holder;
  if (!isSilent || !holder || holder.pid !== error.data.pid || !isCertain(holder)) throw error;
  sendSignal(holder.pid, 'SIGKILL');
  await waitForExit(holder);
  note(`The daemon (pid ${holder.pid}) did not answer and was killed.`);
}

/** The next command must not meet one that is still exiting. @param {ProcessIdentity | null} daemon */
export async function waitForExit(daemon) {
  if (daemon) await poll(() => !isAlive(daemon), { timeoutMs: 10_000, everyMs: 10 });
}
