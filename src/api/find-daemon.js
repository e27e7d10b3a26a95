/** Finds the daemon of a home directory, and starts one if none is running. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../errors/error.js';
import { connect } from '../protocol/client.js';
import { poll } from '../shared/deadline.js';
import { HEALED_MS } from '../shared/presence.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { SERVICE_RESTART_MS, hasService } from '../shared/processes/service-record.js';
import { VERSION } from '../shared/version.js';
import { DaemonProcess, daemonScript } from './launch-daemon.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 */

/** A cold start takes 0.2 s; a machine under full load needs many times that. */
const START_TIMEOUT_MS = 15_000;
const RETRY_MS = 25;
const RELAUNCH_MS = 200;
/** A daemon exits with 0 at once if another one holds the lock of the home directory. */
const LOCK_HELD = 'it exited with code 0';
/** Why a connection fails if no daemon listens. */
const NOT_LISTENING = ['ENOENT', 'ECONNREFUSED'];

/**
 * @param {HomePaths} paths
 * @param {string} [role] of this process
 * @param {number} [waitMs] for a daemon that runs to listen: it is starting, or its socket was removed
 * @returns {Promise<DaemonClient | null>} null if no daemon runs
 * @throws {NodeclusterError} E_DAEMON_SILENT, E_DAEMON_UNREACHABLE, E_PROTOCOL_UNREACHABLE
 */
export async function findDaemon(paths, role = 'cli', waitMs = HEALED_MS) {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const client = await dialDaemon(paths, role);
    if (client) return client;
    const pid = daemonPid(paths.home);
    if (pid === null) return null;
    if (performance.now() > deadline) throw unreachableError(paths, pid);
    await sleep(RETRY_MS);
  }
}

/**
 * @param {HomePaths} paths
 * @param {string} role
 * @returns {Promise<DaemonClient | null>} null if no daemon listens
 */
async function dialDaemon(paths, role) {
  try {
    return await connect(paths.daemonSocket, { hello: { role, version: VERSION } });
  } catch (error) {
    const { code, data } = NodeclusterError.from(error);
    if (code === 'E_PROTOCOL_UNREACHABLE' && NOT_LISTENING.includes(data.reason)) return null;
    if (code === 'E_PROTOCOL_TIMEOUT') {
      const { home, daemonLog: log } = paths;
      throw new NodeclusterError('E_DAEMON_SILENT', { home, pid: daemonPid(home), log }, error);
    }
    throw error;
  }
}

/** @param {HomePaths} paths @param {number} pid */
function unreachableError({ home, daemonSocket: socket, daemonLog: log }, pid) {
  return new NodeclusterError('E_DAEMON_UNREACHABLE', { home, pid, socket, log });
}

/**
 * @param {HomePaths} paths
 * @param {string} role of this process
 * @returns {Promise<DaemonClient>}
 * @throws {NodeclusterError} E_DAEMON_NOT_RUNNING, and those of findDaemon
 */
export async function connectToDaemon(paths, role) {
  const client = await findDaemon(paths, role);
  if (client) return client;
  throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: paths.home });
}

/**
 * Starts a daemon that outlives this process, and connects to it. If two processes do this at
 * once, one daemon remains, and both connect to it.
 * @param {HomePaths} paths of an existing home directory
 * @param {Record<string, string | undefined>} env
 * @param {{script?: string, timeoutMs?: number}} [options]
 * @returns {Promise<DaemonClient>}
 * @throws {NodeclusterError} E_DAEMON_START, E_DAEMON_UNREACHABLE
 */
export async function startDaemon(
  paths,
  env,
  { script = daemonScript(paths), timeoutMs = START_TIMEOUT_MS } = {},
) {
  const ofService = hasService(paths.service) ? await awaitService(paths) : null;
  return ofService ?? launchAndConnect(paths, env, script, timeoutMs);
}

/** @param {HomePaths} paths @returns {Promise<DaemonClient | null>} null: the init system starts none */
function awaitService(paths) {
  return poll(() => dialDaemon(paths, 'cli'), { timeoutMs: SERVICE_RESTART_MS, everyMs: RETRY_MS });
}

/**
 * @param {HomePaths} paths
 * @param {Record<string, string | undefined>} env
 * @param {string} script
 * @param {number} timeoutMs
 */
async function launchAndConnect(paths, env, script, timeoutMs) {
  const deadline = performance.now() + timeoutMs;
  const first = new DaemonProcess(paths, env, [script]);
  let daemon = first;
  while (performance.now() < deadline) {
    const { end } = daemon;
    const client = await dialDaemon(paths, 'cli');
    if (client && client.peer.pid !== daemon.pid) daemon.giveUp();
    if (client) return client;
    if (end && end !== LOCK_HELD) throw daemon.error('E_DAEMON_START', end);
    await sleep(end ? RELAUNCH_MS : RETRY_MS);
    // The daemon that holds the lock will listen soon, or was about to exit.
    if (end && daemonPid(paths.home) === null) daemon = new DaemonProcess(paths, env, [script]);
  }
  const pid = daemonPid(paths.home);
  if (pid !== null) throw unreachableError(paths, pid);
  throw first.error('E_DAEMON_START', `it did not listen within ${timeoutMs / 1000} s`);
}
