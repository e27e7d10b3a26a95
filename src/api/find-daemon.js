/** Finds the daemon of a home directory, and starts one if none is running. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../errors/error.js';
import { connect } from '../protocol/client.js';
import { readDaemonLine } from '../shared/log-files/daemon-line.js';
import { readLastLines } from '../shared/log-files/last-lines.js';
import { HEALED_MS } from '../shared/presence.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { launchDetached } from '../shared/processes/launch.js';
import { VERSION } from '../shared/version.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 */

const DAEMON_SCRIPT = fileURLToPath(new URL('../daemon/main.js', import.meta.url));
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
  { script = DAEMON_SCRIPT, timeoutMs = START_TIMEOUT_MS } = {},
) {
  const deadline = performance.now() + timeoutMs;
  const logged = sizeOf(paths.daemonLog);
  let daemon = launchDaemon(script, paths, env);
  while (performance.now() < deadline) {
    const { end } = daemon;
    const client = await dialDaemon(paths, 'cli');
    if (client) return client;
    if (end && end !== LOCK_HELD) throw startError(paths, end, logged);
    await sleep(end ? RELAUNCH_MS : RETRY_MS);
    // The daemon that holds the lock will listen soon, or was about to exit.
    if (end && daemonPid(paths.home) === null) daemon = launchDaemon(script, paths, env);
  }
  throw lateError(paths, timeoutMs, logged);
}

/** @param {string} file */
function sizeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** @param {HomePaths} paths @param {number} timeoutMs @param {number} logged */
function lateError(paths, timeoutMs, logged) {
  const pid = daemonPid(paths.home);
  if (pid !== null) return unreachableError(paths, pid);
  return startError(paths, `it did not listen within ${timeoutMs / 1000} s`, logged);
}

/**
 * @param {string} script
 * @param {HomePaths} paths
 * @param {Record<string, string | undefined>} env
 * @returns {{end: string | null}} how it exited; null: it is running
 */
function launchDaemon(script, { home, daemonLog: log }, env) {
  const daemon = { end: /** @type {string | null} */ (null) };
  launchDetached([process.execPath, script], { home, log, env })
    .once('error', ({ message }) => (daemon.end = message))
    .once(
      'exit',
      (code, signal) =>
        (daemon.end = signal ? `it was killed by ${signal}` : `it exited with code ${code}`),
    );
  return daemon;
}

/** @param {HomePaths} paths @param {string} reason @param {number} logged bytes of earlier daemons */
function startError({ daemonLog: log }, reason, logged) {
  const lastLines = readLastLines(log, 5, logged).map((line) => readDaemonLine(line).message);
  return new NodeclusterError('E_DAEMON_START', { reason, log, lastLines });
}
