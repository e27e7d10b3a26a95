/** Starts the daemon of a home directory, and replaces it by that of another version. */
import { readFileSync, statSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError, attempt } from '../errors/error.js';
import { poll } from '../shared/deadline.js';
import { readDaemonLine } from '../shared/log-files/daemon-line.js';
import { copyPackage } from '../shared/package/copy.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { launchDetached } from '../shared/processes/launch.js';
import { SERVICE_RESTART_MS, hasService, readService } from '../shared/processes/service-record.js';
import { RETRY_MS, dialDaemon, silentError, findDaemon } from './find-daemon.js';
import { PACKAGE_ROOT } from '../shared/package/root.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { DaemonStatus } from '../protocol/shapes.js'
 * @import { ServiceRecord } from '../shared/processes/service-record.js'
 */

/** A cold start takes 0.2 s; a machine under full load needs many times that. */
const START_TIMEOUT_MS = 15_000;
const RELAUNCH_MS = 200;
const SHOWN_LINES = 5;
/** Users need what failed, not where. */
const OF_A_STACK = /^ {4}at |^Node\.js v|^$/;

/**
 * Starts a daemon that outlives this process, and connects to it; if two do so at once, one daemon remains.
 * @param {HomePaths} paths of an existing home directory
 * @param {NodeJS.ProcessEnv} env
 */
export async function startDaemon(paths, env) {
  const dial = () => dialDaemon(paths, 'cli');
  const restart = { timeoutMs: SERVICE_RESTART_MS, everyMs: RETRY_MS };
  // The init system may start none.
  const ofService = hasService(paths.service) ? await poll(dial, restart) : null;
  return ofService ?? launchAndConnect(paths, env, daemonScript(paths), START_TIMEOUT_MS);
}

/** @param {HomePaths} paths @param {NodeJS.ProcessEnv} env @param {string} script @param {number} timeoutMs */
export async function launchAndConnect(paths, env, script, timeoutMs) {
  const deadline = performance.now() + timeoutMs;
  const first = launch(paths, env, [script]);
  let daemon = first;
  while (performance.now() < deadline) {
    const { end } = daemon;
    const client = await dialDaemon(paths, 'cli');
    // It has not taken the lock yet, and would if the daemon that holds it exited soon.
    if (client && client.peer.pid !== daemon.child.pid) daemon.child.kill();
    if (client) return client;
    // It exits with 0 at once if another one holds the lock of the home directory.
    if (end && daemon.child.exitCode !== 0) throw daemon.error('E_DAEMON_START', end);
    await sleep(end ? RELAUNCH_MS : RETRY_MS);
    // The daemon that holds the lock will listen soon, or was about to exit.
    if (end && daemonPid(paths.home) === null) daemon = launch(paths, env, [script]);
  }
  const pid = daemonPid(paths.home);
  if (pid !== null) throw silentError(paths, pid);
  daemon.child.kill(); // Node may wait forever for a thread that it could not start
  throw first.error('E_DAEMON_START', `it did not listen within ${timeoutMs / 1000} s`);
}

/**
 * @param {HomePaths} paths
 * @param {'main.js' | 'run.js'} [file] run.js: the function that runs it in this process
 * @returns of the daemon of this version; making the copy that it is in may take 0.1 s
 */
export function daemonScript({ versions }, file = 'main.js') {
  return path.join(copyPackage(versions), 'src', 'daemon', file);
}

/** A daemon process that outlives this one. @param {HomePaths} paths @param {NodeJS.ProcessEnv} env @param {string[]} command */
function launch({ home, daemonLog: log }, env, command) {
  const logged = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const child = launchDetached([process.execPath, ...command], { home, log, env });
  const daemon = {
    child,
    /** How it exited; null: it is running. */
    end: /** @type {string | null} */ (null),
    /** With what it has written to the log. @param {string} code of the catalogue @param {string} reason */
    error(code, reason) {
      const text = attempt(() => readFileSync(log).subarray(logged).toString(), '');
      const messages = text.split('\n').map((line) => readDaemonLine(line).message);
      const lastLines = messages.filter((line) => !OF_A_STACK.test(line)).slice(-SHOWN_LINES);
      return new NodeclusterError(code, { reason, log, lastLines });
    },
  };
  child.once('error', ({ message }) => (daemon.end = message));
  child.once('exit', (code, signal) => {
    daemon.end = signal ? `it was killed by ${signal}` : `it exited with code ${code}`;
  });
  return daemon;
}

/**
 * Replaces the daemon by that of this version, unless it runs already.
 * @param {HomePaths} paths
 * @param {NodeJS.ProcessEnv} env
 * @param {DaemonClient} client of the running one; closed if that is replaced
 * @returns after: what it lists, of the same pid if nothing was done
 */
export async function updateDaemon(paths, env, client) {
  const status = await client.request('ping', {});
  if (status.isForeground) throw new NodeclusterError('E_UPDATE_FOREGROUND', { pid: status.pid });
  const { pid, version, node } = status;
  const before = { pid, version, node };
  if (isInstalled(status, daemonScript(paths))) {
    return { before, after: await client.request('list', {}) };
  }
  client.close();
  return { before, after: await replaceDaemon(paths, env) };
}

const TIMEOUT_MS = 60_000;
/** ms; if the new daemon exits after the old one has left, the primaries start one of them again. */
const RETURN_MS = 10_000;
/** ms; launchd waits for 10 s before it starts a service again that has just been started. */
const SERVICE_MS = 20_000;

/**
 * Starts the daemon of this version, which asks the running one to leave when it is loaded. If an init
 * system ran that one, it then starts its own, which takes over from this one: the apps are without a
 * daemon for milliseconds only, and the version has shown that it works.
 * @param {HomePaths} paths
 * @param {NodeJS.ProcessEnv} env
 * @returns what the new daemon lists, when it has found the apps
 */
async function replaceDaemon(paths, env) {
  const service = readService(paths.service);
  if (service) refuseOtherCommand(service);
  const script = daemonScript(paths);
  const listed = await startNext(paths, env, script);
  return service ? awaitService(paths, script) : listed;
}

/** Whether the daemon runs the script of the installed one, on the Node of this process. @param {DaemonStatus} daemon @param {string} script */
function isInstalled({ root, node }, script) {
  return root !== undefined && script.startsWith(root) && node === process.version;
}

/** The init system would soon undo the update. @param {ServiceRecord} service */
function refuseOtherCommand({ command }) {
  if (command === null) return;
  const [node, cli] = command;
  const [realNode, realCli] = [node, cli].map((file) => attempt(() => realpathSync(file), file));
  if (realCli.startsWith(PACKAGE_ROOT) && realNode === process.execPath) return;
  const ownCli = path.join(PACKAGE_ROOT, 'bin', 'nodecluster.js');
  const own = { ownNode: process.execPath, ownCli };
  throw new NodeclusterError('E_UPDATE_OTHER_COMMAND', { node, cli, ...own });
}

/** @param {HomePaths} paths @param {NodeJS.ProcessEnv} env @param {string} script */
async function startNext(paths, env, script) {
  const next = launch(paths, env, [script, paths.home, 'update']);
  const ask = () => askInstalled(paths, script);
  const askOrEnd = async () => (await ask()) ?? next.end;
  const first = await poll(askOrEnd, { timeoutMs: TIMEOUT_MS, everyMs: RETRY_MS });
  if (first !== null && typeof first === 'object') return first;
  const reason = next.end ?? `it did not listen within ${TIMEOUT_MS / 1000} s`;
  next.child.kill('SIGKILL');
  // Another `update` may have started the same version, or a primary after that daemon was killed.
  const listed = await poll(ask, { timeoutMs: RETURN_MS, everyMs: RETRY_MS });
  return listed ?? failUpdate(paths, next.error('E_UPDATE_FAILED', reason).data);
}

/** @param {HomePaths} paths @param {string} script */
async function awaitService(paths, script) {
  const ask = async () => {
    const listed = await askInstalled(paths, script);
    return listed?.daemon.pid === readService(paths.service)?.pid ? listed : null;
  };
  const listed = await poll(ask, { timeoutMs: SERVICE_MS, everyMs: RETRY_MS });
  const reason = `the service did not start it within ${SERVICE_MS / 1000} s`;
  return listed ?? failUpdate(paths, { reason });
}

/** Null: none of that version runs, or it exited before it replied. @param {HomePaths} paths @param {string} script */
async function askInstalled(paths, script) {
  const client = await findDaemon(paths).catch(() => null);
  try {
    const status = await client?.request('ping', {});
    if (!client || !status || !isInstalled(status, script)) return null;
    return await client.request('list', {});
  } catch {
    return null;
  } finally {
    client?.close();
  }
}

/** @param {HomePaths} paths @param {object} data @returns {Promise<never>} */
async function failUpdate(paths, data) {
  // Undefined: it is not known; null: none runs.
  const client = await findDaemon(paths).catch(() => undefined);
  client?.close();
  throw new NodeclusterError('E_UPDATE_FAILED', { ...data, running: client && client.peer });
}
