/** Starts a primary: a separate process that outlives the daemon. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../../errors/error.js';
import { within } from '../../shared/deadline.js';
import { readOwnedEnd } from '../../shared/files/owned-file.js';
import { identify } from '../../shared/processes/identity.js';
import { launchDetached, ownNode } from '../../shared/processes/launch.js';
import { OWN_LAUNCH } from '../init-system.js';
import { makeRecord, readRecord, recordStarting } from '../../shared/processes/primary-record.js';
import { startUserPrimary } from '../users/user-primary.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import net from 'node:net'
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryPaths } from '../../shared/home.js'
 * @import { Output, PrimaryLaunch, PrimaryRecord } from '../../shared/processes/records.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 */

const PRIMARY = fileURLToPath(new URL('../../primary/main.js', import.meta.url));
/** ms for a new primary to listen, and then to answer. */
export const LAUNCH_MS = 30_000;
const LAST_LINES = 20;
const MAX_LAST_BYTES = 64 * 1024;

/** The pipe on which a primary reports that it listens, and by which it notices that its starter has exited. */
const STARTER = 3;

/**
 * @typedef {{launch: Pick<PrimaryLaunch, 'id' | 'home' | 'mode' | 'most'>, paths: PrimaryPaths, spec: Spec,
 *   sockets: InheritedSocket[], output: Output | null}} Start paths: in a directory that is there; spec, sockets: of its first
 *   app
 * @typedef {{reason: string, errno?: string}} NotStarted
 */

/**
 * @param {Start} start
 * @returns {Promise<PrimaryRecord>} when daemons find it
 * @throws {NodeclusterError} E_PRIMARY_START
 */
export async function launchPrimary(start) {
  const { paths, launch, spec } = start;
  const child = await spawnPrimary(start).catch((thrown) => {
    if (thrown instanceof NodeclusterError) throw thrown;
    throw startError(start, notStarted(thrown));
  });
  const identity = child.pid === undefined ? null : identify(child.pid);
  const others = { apps: { [spec.name]: [] }, uid: paths.user?.uid };
  const starting = identity && { ...makeRecord(identity, paths.socket, launch), ...others };
  if (starting !== null) recordStarting(paths.identity, starting);
  const outcome = await within(outcomeOf(child), LAUNCH_MS);
  if (typeof outcome === 'object' && outcome) throw startError(start, outcome);
  // Without descriptors the process could not be identified when it was started.
  const found = readRecord(paths.identity);
  const record = starting ?? (found.kind === 'sound' ? found.record : null);
  if (outcome && record !== null) return record;
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exit;
  throw startError(start, { reason: `did not answer within ${LAUNCH_MS} ms` });
}

/** @param {ChildProcess} child @returns {Promise<true | NotStarted>} true: it listens */
function outcomeOf(child) {
  const starter = /** @type {net.Socket | undefined} */ (child.stdio?.[STARTER]);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(notStarted(error)));
    child.once('exit', (code, signal) => resolve({ reason: `exited with ${signal ?? code}` }));
    starter?.once('data', () => {
      // Its user can write to it without end.
      starter.pause();
      resolve(true);
    });
  });
}

/** @param {Spec} spec @returns {string | null} the Node that the app chose for its primary; null: that of the daemon */
export function chosenNode({ execMode, interpreter }) {
  return execMode === 'cluster' ? interpreter || null : null;
}

/** @param {Start} start */
async function spawnPrimary({ launch, spec, paths, sockets, output }) {
  const { gid } = spec;
  const execPath = chosenNode(spec) ?? ownNode();
  const isOtherUser = paths.user !== null;
  // Another user cannot start the daemon of this one, and `run` is not started again from here.
  const daemon = isOtherUser || output ? null : OWN_LAUNCH;
  const inherited = sockets.map(({ name, isLasting, isPrivileged }, index) => {
    return { name, isLasting, isPrivileged, fd: STARTER + 1 + index };
  });
  const next = STARTER + 1 + sockets.length;
  const outputs = Object.entries(output ?? {});
  const descriptors = {
    starter: STARTER,
    sockets: inherited,
    ...(output && { output: Object.fromEntries(outputs.map(([name], at) => [name, next + at])) }),
  };
  /** @type {('pipe' | number)[]} */
  const stdio = ['pipe', ...sockets.map(({ fd }) => fd), ...outputs.map(([, fd]) => fd)];
  const args = [JSON.stringify({ ...launch, daemon, isOtherUser }), JSON.stringify(descriptors)];
  const child = isOtherUser
    ? await startUserPrimary(spec, paths, { execPath, script: PRIMARY, args, stdio })
    : launchDetached([execPath, PRIMARY, ...args], {
        home: launch.home,
        log: paths.log,
        env: process.env,
        stdio,
        gid: gid ?? undefined,
      });
  // Node sets no stdio if the process could not be started (EMFILE).
  const pipe = /** @type {net.Socket | undefined} */ (child.stdio?.[STARTER]);
  pipe?.on('error', () => {}).unref();
  child.once('exit', () => pipe?.destroy());
  return child;
}

/** @param {NodeJS.ErrnoException} error @returns {NotStarted} */
function notStarted({ message, code }) {
  return { reason: `could not be started: ${message}`, errno: code };
}

/** @param {Start} start @param {NotStarted} why */
function startError({ spec, paths }, why) {
  const { log } = paths;
  const uid = paths.user?.uid ?? process.getuid?.() ?? 0;
  const lines = readOwnedEnd(log, uid, MAX_LAST_BYTES).split('\n').filter(Boolean);
  const lastLines = lines.slice(-LAST_LINES);
  return new NodeclusterError('E_PRIMARY_START', { app: spec.name, ...why, log, lastLines });
}
