/** Starts the primary of an app: a separate process that outlives the daemon. */
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../../errors/error.js';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { poll } from '../../shared/deadline.js';
import { readLastLines } from '../../shared/log-files/last-lines.js';
import { identify } from '../../shared/processes/identity.js';
import { existingNode, launchDetached } from '../../shared/processes/launch.js';
import { isManaged } from '../init-system.js';
import { OWN_LAUNCH } from '../own-launch.js';
import { readRecord, recordStarting } from './record.js';

/**
 * @import net from 'node:net'
 * @import { Spec } from '../../config/spec.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from './record.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 */

const PRIMARY = fileURLToPath(new URL('../../primary/main.js', import.meta.url));
const LAST_LINES = 20;

/** ms between two checks for the record of a primary that is starting. */
const POLL_MS = 15;

/**
 * @typedef {object} LaunchOrder
 * @property {Spec} spec
 * @property {number} generation
 * @property {string} home
 * @property {number[]} slots
 * @property {number[]} stoppedSlots
 */

/**
 * @param {LaunchOrder} order
 * @param {AppPaths} paths
 * @param {InheritedSocket[]} sockets
 * @param {number} timeoutMs
 * @returns {Promise<PrimaryRecord>} when the primary has written it
 * @throws {NodeclusterError} E_PRIMARY_START
 */
export async function launchPrimary(order, paths, sockets, timeoutMs) {
  try {
    return await launch(order, paths, sockets, timeoutMs);
  } catch (thrown) {
    if (thrown instanceof NodeclusterError) throw thrown;
    const { message } = /** @type {Error} */ (thrown);
    throw startError(order.spec.name, `could not be started: ${message}`, paths.log);
  }
}

/**
 * @param {LaunchOrder} order
 * @param {AppPaths} paths
 * @param {InheritedSocket[]} sockets
 * @param {number} timeoutMs
 * @returns {Promise<PrimaryRecord>}
 */
async function launch(order, paths, sockets, timeoutMs) {
  mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
  rmSync(paths.record, { force: true });
  const daemon = { ...OWN_LAUNCH, isManaged };
  await writeFileAtomic(paths.launch, JSON.stringify({ ...order, daemon }));
  const child = startPrimary(order, paths, sockets);
  const identity = child.pid === undefined ? null : identify(child.pid);
  if (identity !== null) recordStarting(paths.record, { ...identity, socket: paths.socket });
  /** @type {string | null} */
  let failure = null;
  child.once('error', (error) => (failure = `could not be started: ${error.message}`));
  child.once('exit', (code, signal) => (failure = `exited with ${signal ?? code}`));
  const ownRecord = () => {
    const record = readRecord(paths.record);
    return record?.pid === child.pid && !record?.starting ? record : null;
  };
  const outcome = await poll(() => failure ?? ownRecord(), { timeoutMs, everyMs: POLL_MS });
  if (typeof outcome === 'string') throw startError(order.spec.name, outcome, paths.log);
  if (outcome !== null) return outcome;
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exit;
  throw startError(order.spec.name, `did not answer within ${timeoutMs} ms`, paths.log);
}

/**
 * @param {LaunchOrder} order
 * @param {AppPaths} paths
 * @param {InheritedSocket[]} sockets
 */
function startPrimary({ spec, home }, { launch, log }, sockets) {
  const { execMode, interpreter } = spec;
  const execPath =
    execMode === 'cluster' && interpreter ? interpreter : existingNode(process.execPath);
  // After stdin, stdout and stderr.
  const starter = 3;
  const inherited = sockets.map((socket, index) => ({ ...socket, fd: starter + 1 + index }));
  const descriptors = JSON.stringify({ starter, sockets: inherited });
  const child = launchDetached([execPath, PRIMARY, launch, descriptors], {
    ...{ home, log, env: process.env },
    stdio: ['pipe', ...sockets.map(({ fd }) => fd)],
  });
  const pipe = /** @type {net.Socket | undefined} */ (child.stdio[starter]);
  pipe?.on('error', () => {}).unref();
  return child;
}

/** @param {string} app @param {string} reason @param {string} log */
function startError(app, reason, log) {
  const lastLines = readLastLines(log, LAST_LINES);
  return new NodeclusterError('E_PRIMARY_START', { app, reason, log, lastLines });
}
