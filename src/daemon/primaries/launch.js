/** Starting the primary of an app: a process of its own that outlives the daemon. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../../errors/error.js';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { poll } from '../../shared/deadline.js';
import { identify } from '../../shared/process-identity.js';
import { launchDetached } from '../../shared/processes/launch.js';
import { readRecord, recordStarting } from './record.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../../config/spec.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from './record.js'
 * @import { SocketCopies } from './socket-copies.js'
 */

const PRIMARY = fileURLToPath(new URL('../../primary/main.js', import.meta.url));
const DAEMON = fileURLToPath(new URL('../main.js', import.meta.url));
const LAST_LINES = 20;

/** ms between two looks for the record of a primary that is starting. */
const LOOK_MS = 15;

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
 * @param {SocketCopies} copies what it listens on is held there
 * @param {number} timeoutMs
 * @returns {Promise<PrimaryRecord>} when it has said who it is
 * @throws {NodeclusterError} E_PRIMARY_START
 */
export async function launchPrimary(order, paths, copies, timeoutMs) {
  const { name } = order.spec;
  try {
    const outcome = await launch(order, paths, copies, timeoutMs);
    if (typeof outcome !== 'string') return outcome;
    throw startError(name, outcome, paths.log);
  } catch (thrown) {
    copies.expire();
    if (thrown instanceof NodeclusterError) throw thrown;
    const { message } = /** @type {Error} */ (thrown);
    throw startError(name, `could not be started: ${message}`, paths.log);
  }
}

/**
 * @param {LaunchOrder} order
 * @param {AppPaths} paths
 * @param {SocketCopies} copies
 * @param {number} timeoutMs
 * @returns {Promise<PrimaryRecord | string>} or what it did instead
 */
async function launch(order, paths, copies, timeoutMs) {
  mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
  rmSync(paths.record, { force: true });
  const daemon = { execPath: process.execPath, script: DAEMON };
  await writeFileAtomic(paths.launch, JSON.stringify({ ...order, daemon }));
  const child = startPrimary(order, paths, copies.all);
  copies.listenTo(child, order.spec.holdTimeoutMs);
  const identity = child.pid === undefined ? null : identify(child.pid);
  if (identity !== null) recordStarting(paths.record, { ...identity, socket: paths.socket });
  /** @type {string | null} */
  let end = null;
  child.once('error', (error) => (end = `could not be started: ${error.message}`));
  child.once('exit', (code, signal) => (end = `ended with ${signal ?? code}`));
  const ownRecord = () => {
    const record = readRecord(paths.record);
    return record?.pid === child.pid && !record?.starting ? record : null;
  };
  const outcome = await poll(() => end ?? ownRecord(), { timeoutMs, everyMs: LOOK_MS });
  if (outcome !== null) return outcome;
  await giveUp(child);
  return `did not answer within ${timeoutMs} ms`;
}

/** @param {Spec} spec */
function interpreterOf({ execMode, interpreter }) {
  return execMode === 'cluster' && interpreter ? interpreter : process.execPath;
}

/**
 * @param {LaunchOrder} order
 * @param {AppPaths} paths
 * @param {{name: string, fd: number}[]} copies inherited by it
 */
function startPrimary({ spec, home }, { launch, log }, copies) {
  // It has stdin, stdout, stderr and the channel before them.
  const inherited = copies.map(({ name }, index) => ({ name, fd: 4 + index }));
  const command = [interpreterOf(spec), PRIMARY, launch, JSON.stringify(inherited)];
  /** @type {('ipc' | number)[]} */
  const stdio = ['ipc', ...copies.map(({ fd }) => fd)];
  return launchDetached(command, { home, log, env: process.env, stdio });
}

/** @param {ChildProcess} child */
async function giveUp(child) {
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exit;
}

/**
 * @param {string} app
 * @param {string} reason
 * @param {string} log
 */
function startError(app, reason, log) {
  return new NodeclusterError('E_PRIMARY_START', { app, reason, log, lastLines: lastLines(log) });
}

/** @param {string} log */
function lastLines(log) {
  try {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    return lines.filter(Boolean).slice(-LAST_LINES);
  } catch {
    return [];
  }
}
