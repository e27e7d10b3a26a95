import { realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../errors/error.js';
import { poll } from '../shared/deadline.js';
import { PACKAGE_ROOT } from '../shared/package/root.js';
import { readService } from '../shared/processes/service-record.js';
import { sendSignal } from '../shared/processes/signal.js';
import { RETRY_MS, findDaemon } from './find-daemon.js';
import { DaemonProcess, daemonScript } from './launch-daemon.js';

/**
 * @import { DaemonMethods } from '../protocol/methods.js'
 * @import { DaemonStatus } from '../protocol/shapes.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { ServiceRecord } from '../shared/processes/service-record.js'
 */

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
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<DaemonMethods['list']['result']>} by the new daemon, when it has found the apps
 * @throws {NodeclusterError} E_UPDATE_FAILED, E_UPDATE_OTHER_COMMAND, E_UPDATE_NO_SERVICE
 */
export async function replaceDaemon(paths, env) {
  const service = readService(paths.service);
  if (service) refuseOtherCommand(service);
  const script = daemonScript(paths);
  const listed = await startNext(paths, env, script);
  return service ? awaitService(paths, script) : listed;
}

/**
 * @param {DaemonStatus} daemon
 * @param {string} script of the installed daemon
 * @returns {boolean} whether that is what the daemon runs, on the Node of this process
 */
export function isInstalled({ root, node }, script) {
  return root !== undefined && script.startsWith(root) && node === process.version;
}

/** The init system would soon undo the update. @param {ServiceRecord} service */
function refuseOtherCommand({ command }) {
  if (command === null) return;
  const [node, cli] = command;
  const isOwn = realPath(cli).startsWith(PACKAGE_ROOT) && realPath(node) === process.execPath;
  if (isOwn) return;
  const ownCli = path.join(PACKAGE_ROOT, 'bin', 'nodecluster.js');
  const own = { ownNode: process.execPath, ownCli };
  throw new NodeclusterError('E_UPDATE_OTHER_COMMAND', { node, cli, ...own });
}

/** @param {string} file @returns {string} the same if it does not exist */
function realPath(file) {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** @param {HomePaths} paths @param {Record<string, string | undefined>} env @param {string} script */
async function startNext(paths, env, script) {
  const next = new DaemonProcess(paths, env, [script, paths.home, 'update']);
  const deadline = performance.now() + TIMEOUT_MS;
  while (next.end === null && performance.now() < deadline) {
    const listed = await askInstalled(paths, script);
    if (listed) return listed;
    await sleep(RETRY_MS);
  }
  const reason = next.end ?? `it did not listen within ${TIMEOUT_MS / 1000} s`;
  if (next.end === null && next.pid !== null) sendSignal(next.pid, 'SIGKILL');
  // Another `update` may have started the same version, or a primary after that daemon was killed.
  const ask = () => askInstalled(paths, script);
  const listed = await poll(ask, { timeoutMs: RETURN_MS, everyMs: RETRY_MS });
  if (listed) return listed;
  const { data } = next.error('E_UPDATE_FAILED', reason);
  const running = await runningDaemon(paths);
  throw new NodeclusterError('E_UPDATE_FAILED', { ...data, running });
}

/** @param {HomePaths} paths @param {string} script */
async function awaitService(paths, script) {
  const ask = async () => {
    const listed = await askInstalled(paths, script);
    return listed?.daemon.pid === readService(paths.service)?.pid ? listed : null;
  };
  const listed = await poll(ask, { timeoutMs: SERVICE_MS, everyMs: RETRY_MS });
  if (listed) return listed;
  const seconds = SERVICE_MS / 1000;
  const running = await runningDaemon(paths);
  throw new NodeclusterError('E_UPDATE_NO_SERVICE', { seconds, running });
}

/** Null: none of that version runs, or it exited before it replied. @param {HomePaths} paths @param {string} script */
async function askInstalled(paths, script) {
  const client = await findDaemon(paths).catch(() => null);
  try {
    const status = await client?.request('ping', {});
    return client && status && isInstalled(status, script)
      ? await client.request('list', {})
      : null;
  } catch {
    return null;
  } finally {
    client?.close();
  }
}

/** @param {HomePaths} paths @returns undefined: it is not known; null: none runs */
async function runningDaemon(paths) {
  const client = await findDaemon(paths).catch(() => undefined);
  client?.close();
  return client && client.peer;
}
