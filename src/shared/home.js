/**
 * The home directory, which contains the files of nodecluster. Its permissions protect the sockets,
 * so they are checked at every start and never changed silently.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NodeclusterError } from '../errors/error.js';

/** Bytes. sockaddr_un holds 108 on Linux and 104 on macOS, with a terminating zero. */
const MAX_SOCKET_PATH = 100;
/** Not os.tmpdir(): every process must get the same path, whatever its TMPDIR. */
const SHORT_PARENT = '/tmp';
const SOCKET = 'primary.sock';

/**
 * @typedef {object} AppPaths
 * @property {string} dir
 * @property {string} launch the parameters of the primary
 * @property {string} record the identity of the primary
 * @property {string} workers the identities of its workers
 * @property {string} socket
 * @property {string} log the primary's own output
 * @property {UserDirectory | null} user null: its primary runs as the user of the daemon
 */

/**
 * Where the files of a primary are that runs as another user, who may put anything there.
 * @typedef {object} UserDirectory
 * @property {number} uid
 * @property {string} dir
 *
 * @typedef {object} HomePaths
 * @property {string} home
 * @property {string} daemonSocket
 * @property {string} daemonLog
 * @property {string} desired
 * @property {string} appsDir
 * @property {string} logs
 * @property {(name: string, uid?: number | null) => AppPaths} app uid: the user that it runs as
 * @property {LogFileOf} logFile
 *
 * @callback LogFileOf
 * @param {string} prefix of the file's name
 * @param {'out' | 'error'} stream
 * @param {{name: string, uid?: number | null}} [app] needed if it runs as another user
 * @returns {string}
 */

/**
 * @param {Record<string, string | undefined>} env
 * @returns {string} an absolute path: NODECLUSTER_HOME, or .nodecluster in the user's home
 */
export function resolveHome(env) {
  return path.resolve(env.NODECLUSTER_HOME || path.join(os.homedir(), '.nodecluster'));
}

/**
 * @param {string} home an absolute path
 * @returns {HomePaths}
 */
export function homePaths(home) {
  const appsDir = path.join(home, 'apps');
  const logs = path.join(home, 'logs');
  return {
    home,
    daemonSocket: socketPath(home, 'daemon.sock'),
    daemonLog: path.join(home, 'daemon.log'),
    desired: path.join(home, 'desired.json'),
    appsDir,
    logs,
    app: (name, uid = null) => appPaths(home, path.join(appsDir, name), uid),
    logFile: (prefix, stream, app) => {
      const user = app ? userDirectory(path.join(appsDir, app.name), app.uid) : null;
      return path.join(user?.dir ?? logs, logName(prefix, stream));
    },
  };
}

/**
 * Creates the directories that are missing, and checks that no other user can enter them.
 * @param {string} home an absolute path
 * @returns {HomePaths}
 * @throws {NodeclusterError} E_HOME_UNUSABLE, E_HOME_NOT_A_DIRECTORY, E_HOME_FOREIGN, E_HOME_OPEN
 */
export function ensureHome(home) {
  const paths = homePaths(home);
  ensurePrivateDirectory(home, { recursive: true });
  ensurePrivateDirectory(paths.appsDir);
  ensurePrivateDirectory(paths.logs);
  if (needsShortDirectory(home)) ensurePrivateDirectory(shortDirectory(home));
  return paths;
}

/**
 * The paths of a primary that runs as another user, seen from its working directory, which is its
 * own: it may not enter the home directory, so it has no other path to its files.
 * @returns {Pick<AppPaths, 'workers' | 'socket' | 'log'> & Pick<HomePaths, 'logFile'>}
 */
export function pathsInUserDirectory() {
  return { ...ownFiles(''), socket: SOCKET, logFile: logName };
}

/** @param {number | null | undefined} uid @returns {uid is number} whether it is another user */
export function isOtherUser(uid) {
  return typeof uid === 'number' && uid !== currentUid();
}

/** @param {string} home @param {string} dir @param {number | null} uid @returns {AppPaths} */
function appPaths(home, dir, uid) {
  const user = userDirectory(dir, uid);
  return {
    dir,
    launch: path.join(dir, 'launch.json'),
    record: path.join(dir, 'primary.json'),
    ...ownFiles(user?.dir ?? dir),
    socket: user
      ? shortestPath(path.join(user.dir, SOCKET))
      : socketPath(home, path.relative(home, path.join(dir, SOCKET))),
    user,
  };
}

/** @param {string} dir of an app @param {number | null} [uid] @returns {UserDirectory | null} */
function userDirectory(dir, uid) {
  return isOtherUser(uid) ? { uid, dir: path.join(dir, `user-${uid}`) } : null;
}

/** @param {string} dir of the primary */
function ownFiles(dir) {
  return { workers: path.join(dir, 'workers.json'), log: path.join(dir, 'primary.log') };
}

/** @param {string} prefix @param {'out' | 'error'} stream */
function logName(prefix, stream) {
  return `${prefix}-${stream}.log`;
}

/**
 * Another user cannot enter the short directory. The daemon, whose working directory is the home,
 * is the only client.
 * @param {string} file
 */
function shortestPath(file) {
  return Buffer.byteLength(file) <= MAX_SOCKET_PATH ? file : path.relative(process.cwd(), file);
}

/**
 * A path that is too long for a socket becomes a hash in the home; if the home itself is too long,
 * a hash in a short directory.
 * @param {string} home
 * @param {string} relative
 */
function socketPath(home, relative) {
  const direct = path.join(home, relative);
  if (Buffer.byteLength(direct) <= MAX_SOCKET_PATH) return direct;
  const hashed = `${shortHash(relative)}.sock`;
  return path.join(needsShortDirectory(home) ? shortDirectory(home) : home, hashed);
}

/** @param {string} home */
function needsShortDirectory(home) {
  return Buffer.byteLength(path.join(home, `${shortHash('')}.sock`)) > MAX_SOCKET_PATH;
}

/** @param {string} home */
function shortDirectory(home) {
  return path.join(SHORT_PARENT, `nodecluster-${currentUid()}-${shortHash(home)}`);
}

/** @param {string} string */
function shortHash(string) {
  return createHash('sha256').update(string).digest('hex').slice(0, 16);
}

/** @param {string} directory @param {{recursive?: boolean}} [options] */
function ensurePrivateDirectory(directory, { recursive = false } = {}) {
  try {
    if (recursive) makeParents(path.dirname(directory));
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'EEXIST')
      throw new NodeclusterError('E_HOME_UNUSABLE', { directory, reason: code });
  }
  const uid = currentUid();
  const stats = lstatSync(directory);
  if (!stats.isDirectory()) throw new NodeclusterError('E_HOME_NOT_A_DIRECTORY', { directory });
  if (stats.uid !== uid) {
    throw new NodeclusterError('E_HOME_FOREIGN', { directory, owner: stats.uid, uid });
  }
  if ((stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
    throw new NodeclusterError('E_HOME_OPEN', { directory, mode });
  }
}

/**
 * One by one: mkdir with `recursive` never returns for a path below /proc (Node 20).
 * @param {string} directory
 */
function makeParents(directory) {
  if (existsSync(directory)) return;
  makeParents(path.dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

/** geteuid is missing on Windows only, where nodecluster does not run. */
function currentUid() {
  return process.geteuid?.() ?? -1;
}
