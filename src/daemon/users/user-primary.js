/**
 * A primary that runs as another user from its first instruction. It cannot enter the home
 * directory, so it gets its own directory there as its working directory: nothing that the daemon
 * trusts can be changed by that user.
 */
import { execFile, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  chownSync,
  constants,
  fchownSync,
  lstatSync,
  mkdirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NodeclusterError, attempt } from '../../errors/error.js';
import { OWN_FILE, ownNode, spawnDetached } from '../../shared/processes/launch.js';
import { accountOf, environmentOf } from './account.js';
import { NOT_SOCKETS } from '../../protocol/socket-set.js';
import { openOwned } from '../../shared/files/owned-file.js';
import { filesOfPrimary } from '../../shared/home.js';
import { copyPackage } from '../../shared/package/copy.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryPaths, UserDirectory } from '../../shared/home.js'
 * @import { Account } from './account.js'
 */

/**
 * @param {Spec} spec @param {PrimaryPaths} paths @param {object} options
 * @param {string} options.execPath of Node
 * @param {string} options.script the main file of a primary
 * @param {string[]} options.args its arguments
 * @param {('pipe' | number)[]} options.stdio descriptors after stderr
 * @throws {NodeclusterError} E_USER_ACCESS, E_USER_GROUP
 */
export async function startUserPrimary(spec, paths, { execPath, script, args, stdio }) {
  const { uid, dir } = /** @type {UserDirectory} */ (paths.user);
  const primary = publicPathOf(script);
  const { account, user } = await userOf(spec, uid);
  const denied = await findInaccessible(user, needsOf(spec, execPath, primary));
  if (denied !== null) {
    const data = { app: spec.name, user: account.name, path: denied };
    throw new NodeclusterError('E_USER_ACCESS', data);
  }
  makeUserDirectory(dir, user);
  const output = openUserLog(paths, user);
  try {
    return spawnDetached([execPath, primary, ...args], {
      ...user,
      cwd: dir,
      env: environmentOf(account, execPath === OWN_FILE ? process.execPath : execPath),
      stdio: ['ignore', output, output, ...stdio],
    });
  } finally {
    closeSync(output);
  }
}

/**
 * @param {Pick<Spec, 'name' | 'gid'>} spec @param {number} uid
 * @returns {Promise<{account: Account, user: User}>} as whom everything of the app runs
 */
export async function userOf(spec, uid) {
  const account = await accountOf(uid);
  const gid = spec.gid ?? account.gid;
  if (gid === null) throw new NodeclusterError('E_USER_GROUP', { app: spec.name, uid });
  return { account, user: { uid, gid } };
}

/** These say nothing about what the primary sent; Node aborts with others. */
const KILLING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'];
/** Executed as root, so never from a home that another user may have replaced. */
const RECEIVER = fileURLToPath(new URL('receive-sockets.js', import.meta.url));

/**
 * The sockets of a primary that runs as another user, received by a process of their own.
 * @param {UserDirectory} directory of the primary @param {string} handover its socket there
 */
export async function receiveSockets({ uid, dir }, handover) {
  const { gid } = lstatSync(dir);
  const child = fork(publicPathOf(RECEIVER), [path.basename(handover), String(uid), String(gid)], {
    cwd: dir,
    env: {},
    execArgv: [],
    execPath: ownNode(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Ctrl-C in the terminal of `run` is not for it; it ends with the daemon.
    detached: true,
  });
  child.unref();
  child.channel?.unref();
  const isConnected = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  if (!isConnected) throw new Error('the process that receives them could not connect');
  const channel = Object.assign(new EventEmitter(), {
    send: (/** @type {object} */ message) => child.connected && child.send(message, () => {}),
    close: () => child.kill('SIGKILL'),
  });
  child.on('error', () => {});
  child.once('exit', (code, signal) => {
    const isKilled = signal !== null && KILLING_SIGNALS.includes(signal);
    const reason = isKilled ? `${signal} ended the process that receives them` : NOT_SOCKETS;
    if (code !== 0) channel.emit('failed', reason);
  });
  // Later, since the first message may arrive before anybody listens here.
  child.on('message', (message, handle) =>
    setImmediate(() => channel.emit('message', message, handle ?? null)),
  );
  return channel;
}

/** Only root may write there, and it is empty after a reboot: until then nothing removes the copies of earlier versions. */
const PUBLIC_COPIES = path.join(process.platform === 'darwin' ? '/var/run' : '/run', 'nodecluster');
/** In octal: others may write there. */
const WRITABLE = 0o022;

/**
 * The daemon's own copy of this package is in its private home.
 * @param {string} file of this package
 * @returns {string} the same file in a copy that every user can read, or itself if there can be none
 */
function publicPathOf(file) {
  const root = hasDirectory() ? copyPackage(PUBLIC_COPIES, PACKAGE_ROOT, true) : null;
  return root === null ? file : path.join(root, path.relative(PACKAGE_ROOT, file));
}

/** @returns {boolean} whether it is there, and only root can change what is in it */
function hasDirectory() {
  const before = process.umask(WRITABLE);
  try {
    mkdirSync(PUBLIC_COPIES, { recursive: true });
    const stats = lstatSync(PUBLIC_COPIES);
    return stats.isDirectory() && stats.uid === 0 && (stats.mode & WRITABLE) === 0;
  } catch {
    return false;
  } finally {
    process.umask(before);
  }
}

/** @param {Spec} spec @param {string} execPath @param {string} primary its main file */
function needsOf({ script, cwd, interpreter }, execPath, primary) {
  /** @type {Need[]} */
  const needs = [
    { path: execPath, mode: 'x' },
    { path: primary, mode: 'r' },
    { path: cwd, mode: 'x' },
    { path: script, mode: 'r' },
    { path: interpreter ?? '', mode: 'x' },
  ];
  // A command is looked up in PATH.
  return needs.filter(({ path: file }) => file.startsWith('/'));
}

/** @typedef {{path: string, mode: 'r' | 'w' | 'x'}} Need */

/** Of a script that runs as that user, who may stop it and write to its output. */
const SCRIPT_MS = 10_000;
const LIMITS = { maxBuffer: 64 * 1024, killSignal: /** @type {const} */ ('SIGKILL') };
/** Prints the first path that fails. Only a process of that user knows ACLs and the like. */
const SCRIPT = `while [ $# -gt 0 ]; do
  test "-$1" "$2" || { printf %s "$2"; exit 1; }
  shift 2
done`;

/** Null: all are accessible, or do not exist, which others report. @param {User} user @param {readonly Need[]} needs */
async function findInaccessible({ uid, gid }, needs) {
  const there = needs.filter(({ path: file }) => existsSync(file));
  const args = there.flatMap(({ path: file, mode }) => [mode, file]);
  const options = { uid, gid, cwd: '/', env: {}, timeout: SCRIPT_MS, ...LIMITS };
  const check = promisify(execFile)('/bin/sh', ['-c', SCRIPT, 'sh', ...args], options);
  const { stdout: found } = await check.catch((error) => error);
  return found || null;
}

/** @typedef {{uid: number, gid: number}} User */

/** The one above belongs to the daemon, so nobody can replace it. @param {string} directory @param {User} user */
function makeUserDirectory(directory, { uid, gid }) {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) {
    mkdirSync(directory, { mode: 0o700 });
    chownSync(directory, uid, gid);
  } else if (!found.isDirectory() || (found.uid !== uid && found.uid !== 0)) {
    const reason = `it is not a directory of user ${uid}`;
    throw new NodeclusterError('E_FILE_UNTRUSTED', { file: path.resolve(directory), reason });
  } else if (found.uid !== uid) {
    // A daemon was killed between the two steps.
    chownSync(directory, uid, gid);
  }
}

/** @param {PrimaryPaths} paths @param {User} user @returns {number} a descriptor of the primary's own log */
function openUserLog({ log }, { uid, gid }) {
  const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
  if (lstatSync(log, { throwIfNoEntry: false }) === undefined) {
    const created = openSync(log, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    // By its descriptor, since the user may have replaced it by a link meanwhile.
    fchownSync(created, uid, gid);
    closeSync(created);
  }
  return openOwned(log, O_WRONLY | O_APPEND, uid);
}

/** Removes what a primary that does not run left there. Log files of the app stay. @param {UserDirectory} directory */
export function clearUserDirectory({ dir }) {
  for (const file of Object.values(filesOfPrimary(dir))) {
    // Not with rmSync: where a directory appears at that moment, that removes everything in it, and below links that
    // the user puts there.
    attempt(() => unlinkSync(file), null, ['ENOENT']);
  }
  // Fails if it contains log files.
  attempt(() => rmdirSync(dir), null);
}
