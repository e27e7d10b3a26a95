import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../errors/error.js';
import { poll } from '../shared/deadline.js';
import { sendSignal } from '../shared/processes/signal.js';
import { LOCK_HELD, findDaemon } from './find-daemon.js';
import { DaemonProcess, daemonScript } from './launch-daemon.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 */

const TIMEOUT_MS = 60_000;
const RETRY_MS = 25;
/** A primary may have started the earlier version in the moment between the two. */
const MAX_TRIES = 3;
/** ms; if the new daemon fails after the old one has left, the primaries start the old one again. */
const RETURN_MS = 5000;

/**
 * Starts the daemon of this version, which asks the running one to leave when it is loaded.
 * @param {HomePaths} paths
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<DaemonClient>} connected to the new daemon
 * @throws {NodeclusterError} E_UPDATE_FAILED
 */
export async function replaceDaemon(paths, env) {
  const command = [daemonScript(paths), paths.home, 'update'];
  const deadline = performance.now() + TIMEOUT_MS;
  let next = new DaemonProcess(paths, env, command);
  let tries = 1;
  while (performance.now() < deadline) {
    const { end, pid } = next;
    const client = await findDaemon(paths).catch(() => null);
    if (client && client.peer.pid === pid) return client;
    client?.close();
    if (end !== null) {
      if (end !== LOCK_HELD || tries === MAX_TRIES) return unlessFailed(paths, next, end);
      tries += 1;
      next = new DaemonProcess(paths, env, command);
    }
    await sleep(RETRY_MS);
  }
  if (next.pid !== null) sendSignal(next.pid, 'SIGKILL');
  return unlessFailed(paths, next, `it did not listen within ${TIMEOUT_MS / 1000} s`);
}

/**
 * @param {HomePaths} paths
 * @param {DaemonClient} client
 * @returns {Promise<boolean>} whether the daemon is of the installed version
 */
export async function isInstalled(paths, client) {
  const { root } = await client.request('ping', {});
  return root !== undefined && daemonScript(paths).startsWith(root);
}

/**
 * If the next daemon was killed after the running one had left, a primary starts another of the same version.
 * @param {HomePaths} paths
 * @param {DaemonProcess} next
 * @param {string} reason
 * @returns {Promise<DaemonClient>}
 * @throws {NodeclusterError} E_UPDATE_FAILED
 */
async function unlessFailed(paths, next, reason) {
  const find = () => findDaemon(paths).catch(() => null);
  const client = await poll(find, { timeoutMs: RETURN_MS, everyMs: RETRY_MS });
  if (client && (await isInstalled(paths, client))) return client;
  client?.close();
  const error = next.error('E_UPDATE_FAILED', reason);
  throw new NodeclusterError('E_UPDATE_FAILED', { ...error.data, running: client?.peer ?? null });
}
