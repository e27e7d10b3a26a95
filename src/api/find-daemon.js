/** Finds the home directory that a command or a program means, and its daemon. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError, attempt } from '../errors/error.js';
import { connect, isAbsence } from '../protocol/client.js';
import { monotonicMs } from '../shared/deadline.js';
import { HEALED_MS } from '../shared/presence.js';
import { resolveHome } from '../shared/home.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { DaemonFinder } from './feed.js'
 */

/** ms between two attempts to connect. */
export const RETRY_MS = 25;

/**
 * @param {HomePaths} paths
 * @param {string} [role] of this process
 * @param {number} [waitMs] for a daemon that runs to listen: it is starting, or its socket was removed
 * @returns {Promise<DaemonClient | null>} null if no daemon runs
 */
export async function findDaemon(paths, role = 'cli', waitMs = HEALED_MS) {
  const deadline = monotonicMs() + waitMs;
  for (;;) {
    const client = await dialDaemon(paths, role);
    if (client) return client;
    const pid = await pidOf(paths.home);
    if (pid === null) return null;
    if (monotonicMs() > deadline) throw silentError(paths, pid);
    await sleep(RETRY_MS);
  }
}

/**
 * @param {HomePaths} paths
 * @param {string} role
 * @returns {Promise<DaemonClient | null>} null if no daemon listens
 */
export async function dialDaemon(paths, role) {
  /** CPU time of the daemon after each time-out. @type {number[]} */
  const cpuMs = [];
  // Who gives commands, also through sudo; not every user has a name.
  const user = process.env.SUDO_USER || attempt(() => userInfo().username, undefined);
  for (;;) {
    try {
      return await connect(paths.daemonSocket, { hello: { role, user } });
    } catch (error) {
      const { code } = NodeclusterError.from(error);
      // One that exited before its reply has been asked for nothing.
      if (isAbsence(error) || code === 'E_PROTOCOL_CLOSED') return null;
      if (code !== 'E_PROTOCOL_TIMEOUT') throw error;
      const pid = await pidOf(paths.home);
      if (pid !== null && (await isAtWork(pid, cpuMs))) continue;
      throw silentError(paths, pid, error);
    }
  }
}

/** @param {number} pid @param {number[]} cpuMs gets what it has used by now */
async function isAtWork(pid, cpuMs) {
  const { activityOf } = await import('../shared/processes/activity.js');
  const { mayReplyYet } = await import('../lifecycle/frozen-policy.js');
  const activity = activityOf(pid);
  if (activity === null) return false;
  cpuMs.push(activity.cpuMs);
  return mayReplyYet(activity.isStopped, cpuMs);
}

/** @param {HomePaths} paths @param {number | null} pid @param {unknown} [cause] */
export function silentError({ home, daemonSocket: socket, daemonLog: log }, pid, cause) {
  return new NodeclusterError('E_DAEMON_SILENT', { home, pid, socket, log }, cause);
}

/** @param {HomePaths} paths @param {string} role @throws {NodeclusterError} E_DAEMON_NOT_RUNNING, and those of findDaemon */
export async function connectToDaemon(paths, role) {
  const client = await findDaemon(paths, role);
  if (client) return client;
  throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: paths.home });
}

/**
 * On a connection of its own, so that none is open while nothing is asked.
 * @template T
 * @param {HomePaths} paths
 * @param {string} role
 * @param {(client: DaemonClient) => Promise<T>} use
 */
export async function askDaemon(paths, role, use) {
  const client = await connectToDaemon(paths, role);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** On a connection of its own. @param {HomePaths} paths @param {string} role @returns {DaemonFinder} */
export function finderOf(paths, role) {
  /** @type {DaemonClient | null} */
  let client = null;
  return {
    home: paths.home,
    find: async () => (client = await findDaemon(paths, role)),
    close: () => client?.close(),
  };
}

/** @param {string} home */
async function pidOf(home) {
  // Loaded only if no daemon answers.
  const { daemonPid } = await import('../shared/processes/daemon-lock.js');
  return daemonPid(home);
}

/**
 * Where there is no home directory, as in a container, the apps of a `run` are meant. What finds those is loaded only then.
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<() => string>} finds it: an absolute path; throws E_HOME_UNUSABLE and E_SEVERAL_RUNS
 */
export async function homeFinder(env) {
  if (env.NODECLUSTER_HOME) return () => resolveHome(env);
  const usual = attempt(() => resolveHome(env), null);
  if (usual !== null && existsSync(usual)) return () => usual;
  const { runningHomes } = await import('../shared/transient-homes.js');
  return () => {
    const running = runningHomes(env);
    if (running.length > 1) throw new NodeclusterError('E_SEVERAL_RUNS', { homes: running });
    return running[0] ?? resolveHome(env);
  };
}
