/** Starts the primary of an app: a separate process that outlives the daemon. */
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../../errors/error.js';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { poll } from '../../shared/deadline.js';
import { readLastLines } from '../../shared/log-files/last-lines.js';
import { identify } from '../../shared/processes/identity.js';
import { launchDetached } from '../../shared/processes/launch.js';
import { isManaged } from '../init-system.js';
import { readRecord, recordStarting } from '../../shared/processes/primary-record.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from './find-primary.js'
 * @import { SocketCopies } from './socket-copies.js'
 */

const PRIMARY = fileURLToPath(new URL('../../primary/main.js', import.meta.url));
const DAEMON = fileURLToPath(new URL('../main.js', import.meta.url));
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
 * @param {SocketCopies} copies receives the sockets that the primary listens on
 * @param {number} timeoutMs
 * @returns {Promise<PrimaryRecord>} when the primary has written it
 * @throws {NodeclusterError} E_PRIMARY_START
 */
export async function launchPrimary(order, paths, copies, timeoutMs) {
  try {
    return await launch(order, paths, copies, timeoutMs);
  } catch (thrown) {
    copies.expire();
    if (thrown instanceof NodeclusterError) throw thrown;
    const { message } = /** @type {Error} */ (thrown);
    throw startError(order.spec.name, `could not be started: ${message}`, paths.log);
  }
}

/**
 * @param {LaunchOrder} order
 * @param {AppPaths} paths
 * @param {SocketCopies} copies
 * @param {number} timeoutMs
 * @returns {Promise<PrimaryRecord>}
 */
async function launch(order, paths, copies, timeoutMs) {
  mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
  rmSync(paths.record, { recursive: true, force: true });
  const daemon = { execPath: process.execPath, script: DAEMON, isManaged };
  await writeFileAtomic(paths.launch, JSON.stringify({ ...order, daemon }));
  const child = startPrimary(order, paths, copies.all);
  copies.listenTo(child, order.spec.holdTimeoutMs);
  const identity = child.pid === undefined ? null : identify(child.pid);
  if (identity !== null) recordStarting(paths.record, identity);
  /** @type {string | null} */
  let failure = null;
  child.once('error', (error) => (failure = `could not be started: ${error.message}`));
  child.once('exit', (code, signal) => (failure = `exited with ${signal ?? code}`));
  const ownRecord = () => {
    const found = readRecord(paths.record);
    const isOwn = found.kind === 'sound' && found.identity.pid === child.pid && !found.isStarting;
    return isOwn ? { ...found.identity, socket: paths.socket } : null;
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
 * @param {{name: string, fd: number}[]} copies inherited by it
 */
function startPrimary({ spec, home }, { launch, log }, copies) {
  const { execMode, interpreter } = spec;
  const execPath = execMode === 'cluster' && interpreter ? interpreter : process.execPath;
  // Descriptors 0 to 3 are stdin, stdout, stderr and the IPC channel.
  const inherited = copies.map(({ name }, index) => ({ name, fd: 4 + index }));
  const command = [execPath, PRIMARY, launch, JSON.stringify(inherited)];
  /** @type {('ipc' | number)[]} */
  const stdio = ['ipc', ...copies.map(({ fd }) => fd)];
  return launchDetached(command, { home, log, env: process.env, stdio });
}

/** @param {string} app @param {string} reason @param {string} log */
function startError(app, reason, log) {
  const lastLines = readLastLines(log, LAST_LINES);
  return new NodeclusterError('E_PRIMARY_START', { app, reason, log, lastLines });
}
