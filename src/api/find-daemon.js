/** The way to the daemon of a home directory: finds it, and starts it where there is none. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../errors/error.js';
import { connect } from '../protocol/client.js';
import { VERSION } from '../shared/version.js';
import { readDaemonLine } from '../shared/log-files/daemon-line.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 */

const daemonScript = fileURLToPath(new URL('../daemon/main.js', import.meta.url));
/** A cold start takes 0.2 s; a machine under full load needs many times that. */
const startTimeoutMs = 15_000;
const retryMs = 25;
const respawnMs = 200;
/** How a daemon ends that finds another one in its home. */
const lostToAnother = 'it ended with exit code 0';
/** What a connection fails with where nobody listens, or nobody does yet. */
const absence = new Set(['ENOENT', 'ECONNREFUSED']);
/** The daemon needs little of the shell; apps get their environment from the command, not from it. */
const passedOn = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/**
 * @param {HomePaths} paths
 * @param {string} [role] of who asks
 * @returns {Promise<DaemonClient | null>} null where no daemon listens
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE, E_PROTOCOL_TIMEOUT, E_PROTOCOL_VERSION
 */
export async function findDaemon(paths, role = 'cli') {
  try {
    return await connect(paths.daemonSocket, { hello: { role, version: VERSION } });
  } catch (error) {
    const { code, data } = NodeclusterError.from(error);
    if (code === 'E_PROTOCOL_UNREACHABLE' && absence.has(data.reason)) return null;
    throw error;
  }
}

/**
 * Starts a daemon that outlives this process, and waits for it. When two commands do this at once
 * one daemon wins, and both commands reach it.
 * @param {HomePaths} paths of a home that exists
 * @param {Record<string, string | undefined>} env
 * @param {{script?: string, timeoutMs?: number}} [options]
 * @returns {Promise<DaemonClient>}
 * @throws {NodeclusterError} E_DAEMON_START
 */
export async function startDaemon(
  paths,
  env,
  { script = daemonScript, timeoutMs = startTimeoutMs } = {},
) {
  const deadline = performance.now() + timeoutMs;
  let daemon = spawnDetached(script, paths, env);
  while (performance.now() < deadline) {
    const end = daemon.end();
    const client = await findDaemon(paths);
    if (client) return client;
    if (end && end !== lostToAnother) throw startError(paths, end);
    await pause(end ? respawnMs : retryMs);
    // The other one listens soon, or was just about to end.
    if (end) daemon = spawnDetached(script, paths, env);
  }
  throw startError(paths, `it did not listen within ${timeoutMs / 1000} s`);
}

/**
 * @param {string} script
 * @param {HomePaths} paths
 * @param {Record<string, string | undefined>} env
 * @returns {{end: () => string | null}} says how it ended, if it has
 */
function spawnDetached(script, paths, env) {
  const log = openSync(paths.daemonLog, 'a', 0o600);
  /** @type {string | null} */
  let end = null;
  const child = spawn(process.execPath, [script], {
    cwd: paths.home,
    detached: true,
    env: daemonEnvironment(paths.home, env),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.once('error', ({ message }) => (end = message));
  child.once('exit', (code, signal) => (end = `it ended with ${signal ?? `exit code ${code}`}`));
  child.unref();
  return { end: () => end };
}

/**
 * @param {string} home
 * @param {Record<string, string | undefined>} env
 * @returns {Record<string, string | undefined>} without NODE_OPTIONS and without secrets
 */
function daemonEnvironment(home, env) {
  const kept = passedOn.filter((key) => env[key] !== undefined).map((key) => [key, env[key]]);
  return { ...Object.fromEntries(kept), NODECLUSTER_HOME: home };
}

/**
 * @param {HomePaths} paths
 * @param {string} reason
 */
function startError({ daemonLog }, reason) {
  return new NodeclusterError('E_DAEMON_START', {
    reason,
    log: daemonLog,
    lastLines: lastLines(daemonLog, 5),
  });
}

/**
 * @param {string} file
 * @param {number} count
 */
function lastLines(file, count) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count);
  return lines.map((line) => readDaemonLine(line).message);
}
