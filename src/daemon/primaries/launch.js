/** Starts the primary of an app: a separate process that outlives the daemon. */
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../../errors/error.js';
import { removeUnfinished, writeFileAtomic } from '../../shared/files/atomic-file.js';
import { within } from '../../shared/deadline.js';
import { holdsText } from '../../shared/files/small-file.js';
import { enterHome } from '../../shared/home.js';
import { readOwnedEnd } from '../../shared/files/owned-file.js';
import { identify } from '../../shared/processes/identity.js';
import { ownNode, launchDetached } from '../../shared/processes/launch.js';
import { isManaged, OWN_LAUNCH } from '../init-system.js';
import {
  makeRecord,
  readLiveRecord,
  recordStarting,
} from '../../shared/processes/primary-record.js';
import { startUserPrimary } from '../users/user-primary.js';
import { sharedModeOf } from './shared-primaries.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import net from 'node:net'
 * @import { Spec } from '../../config/spec.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { Output, PrimaryLaunch, PrimaryRecord } from '../../shared/processes/records.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { SharedPrimaries } from './shared-primaries.js'
 */

const PRIMARY = fileURLToPath(new URL('../../primary/main.js', import.meta.url));
/** ms for a new primary to listen, and then to answer. */
export const LAUNCH_MS = 30_000;
const LAST_LINES = 20;
const MAX_LAST_BYTES = 64 * 1024;

/**
 * The descriptor, after stdin, stdout and stderr, on which a primary reports that it listens, and by
 * which it notices that its starter has exited.
 */
const STARTER = 3;

/** Output: where that of the workers goes; null: to log files. @typedef {PrimaryLaunch & {output: Output | null}} LaunchOrder */

/**
 * @param {LaunchOrder} launchOrder
 * @param {(uid: number | null) => AppPaths} pathsOf uid: the user that it runs as
 * @param {InheritedSocket[]} sockets
 * @param {SharedPrimaries} shared
 * @returns {Promise<PrimaryRecord>} when the primary has written it
 * @throws {NodeclusterError} E_PRIMARY_START
 */
export async function launchPrimary(launchOrder, pathsOf, sockets, shared) {
  const paths = pathsOf(launchOrder.spec.uid);
  const shares = sharedModeOf(launchOrder.spec, sockets);
  const order = { ...launchOrder, ...(shares && { shares }) };
  try {
    await prepare(order, paths);
    const start = () => startProcess(order, paths, sockets);
    return shares ? await shared.launch(order, paths, sockets, start) : await start();
  } catch (thrown) {
    if (thrown instanceof NodeclusterError) throw thrown;
    const { message } = /** @type {Error} */ (thrown);
    throw startError(order, `could not be started: ${message}`, paths);
  }
}

/** @param {LaunchOrder} order @param {AppPaths} paths */
async function prepare(order, paths) {
  // Files there are read, and executed, as the user of this daemon.
  enterHome(order.home);
  mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
  removeStale(order, paths);
  const { output, ...file } = order;
  // Another user cannot start the daemon of this one, and `run` is not started again from here.
  const daemon = paths.user === null && !output ? { ...OWN_LAUNCH, isManaged } : null;
  const text = JSON.stringify({ ...file, daemon });
  // On a full disk a primary that was killed can be started as it was.
  if (!holdsText(paths.launch, text)) await writeFileAtomic(paths.launch, text);
}

/** @param {LaunchOrder} order @param {AppPaths} paths @param {InheritedSocket[]} sockets */
async function startProcess(order, paths, sockets) {
  const child = await startPrimary(order, paths, sockets);
  const identity = child.pid === undefined ? null : identify(child.pid);
  const starting = identity && {
    ...makeRecord(identity, paths.socket, order.shares),
    ...(paths.user && { uid: paths.user.uid }),
  };
  if (starting !== null) recordStarting(paths.record, starting);
  const outcome = await within(outcomeOf(child), LAUNCH_MS);
  if (typeof outcome === 'string') throw startError(order, outcome, paths);
  // Without descriptors the process could not be identified when it was started.
  const record = starting ?? readLiveRecord(paths.record);
  if (outcome && record !== null) return record;
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exit;
  throw startError(order, `did not answer within ${LAUNCH_MS} ms`, paths);
}

/** @param {ChildProcess} child @returns {Promise<true | string>} true: it listens; or why it does not */
function outcomeOf(child) {
  const starter = /** @type {net.Socket | undefined} */ (child.stdio?.[STARTER]);
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(`could not be started: ${message}`));
    child.once('exit', (code, signal) => resolve(`exited with ${signal ?? code}`));
    starter?.once('data', () => {
      // Its user can write to it without end.
      starter.pause();
      resolve(true);
    });
  });
}

/**
 * @param {Spec} spec
 * @returns {string | null} the Node that the app chose for its primary; null: that of the daemon
 */
export function chosenNode({ execMode, interpreter }) {
  return execMode === 'cluster' ? interpreter || null : null;
}

/** @param {LaunchOrder} order @param {AppPaths} paths @param {InheritedSocket[]} sockets */
async function startPrimary({ spec, home, output, shares }, paths, sockets) {
  const { gid } = spec;
  const execPath = chosenNode(spec) ?? ownNode();
  const inherited = sockets.map(({ name, isLasting, isPrivileged }, index) => {
    return { name, isLasting, isPrivileged, fd: STARTER + 1 + index };
  });
  const next = STARTER + 1 + sockets.length;
  const outputs = Object.entries(output ?? {});
  const descriptors = JSON.stringify({
    starter: STARTER,
    sockets: inherited,
    ...(output && { output: Object.fromEntries(outputs.map(([name], at) => [name, next + at])) }),
  });
  /** @type {('pipe' | number)[]} */
  const stdio = ['pipe', ...sockets.map(({ fd }) => fd), ...outputs.map(([, fd]) => fd)];
  const child =
    paths.user === null
      ? launchDetached([execPath, PRIMARY, paths.launch, descriptors], {
          home,
          log: logOf(shares, paths),
          env: process.env,
          stdio,
          gid: gid ?? undefined,
        })
      : await startUserPrimary(spec, paths.user, paths, {
          execPath,
          script: PRIMARY,
          descriptors,
          stdio,
        });
  // Node sets no stdio if the process could not be started (EMFILE).
  const pipe = /** @type {net.Socket | undefined} */ (child.stdio?.[STARTER]);
  pipe?.on('error', () => {}).unref();
  child.once('exit', () => pipe?.destroy());
  return child;
}

/** @param {LaunchOrder} order @param {string} reason @param {AppPaths} paths */
function startError({ spec, shares }, reason, paths) {
  const log = logOf(shares, paths);
  const uid = spec.uid ?? process.getuid?.() ?? 0;
  const lines = readOwnedEnd(log, uid, MAX_LAST_BYTES).split('\n').filter(Boolean);
  const lastLines = lines.slice(-LAST_LINES);
  return new NodeclusterError('E_PRIMARY_START', { app: spec.name, reason, log, lastLines });
}

/** @param {PrimaryRecord['shares']} shares @param {AppPaths} paths */
function logOf(shares, { log, sharedLog }) {
  return shares ? sharedLog : log;
}

/** @param {LaunchOrder} order @param {AppPaths} paths */
function removeStale(order, paths) {
  rmSync(paths.record, { recursive: true, force: true });
  removeUnfinished(paths.launch);
  // A predecessor that serves is not one whose workers must end.
  if (order.after) rmSync(paths.workers, { force: true });
  else if (paths.user === null) {
    removeUnfinished(paths.record);
    removeUnfinished(paths.workers);
  }
}
