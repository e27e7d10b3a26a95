/**
 * The home directory. Its permissions protect the sockets, so they are checked at every start; only those of a directory
 * that is empty are changed.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { NodeclusterError, attempt } from '../errors/error.js';
import { makeDirectorySync } from './files/directories.js';
import { workingDirectory } from './files/inspect-path.js';
import { expandHome, pathFault, userHome } from './files/written-path.js';

/** Bytes. sockaddr_un holds 104 on macOS; Linux reaches longer paths (unix-socket.js). */
const MAX_SOCKET_PATH = process.platform === 'linux' ? Infinity : 103;
/** Of those in it, but for one of a primary that runs as another user, which is reached from its own directory. */
const LONGEST_SOCKET = 'primaries/999999/sockets.sock';

/**
 * @typedef {ReturnType<typeof homePaths>} HomePaths
 * @typedef {ReturnType<typeof primaryPaths>} PrimaryPaths
 * @typedef {{uid: number, dir: string}} UserDirectory where the files of a primary are that runs as another user, who
 *   may put anything there
 */

/**
 * An absolute path: NODECLUSTER_HOME, or .nodecluster in the user's home.
 * @param {Record<string, string | undefined>} env
 * @throws {NodeclusterError} E_HOME_UNUSABLE
 */
export function resolveHome(env) {
  const { NODECLUSTER_HOME: given = '' } = env;
  const fault = pathFault(given);
  if (fault !== null) throw unusable(given, fault);
  const directory = workingDirectory({ env: {} });
  const home = path.resolve(directory, expandHome(given));
  if (given && home.startsWith(directory) && !existsSync(directory))
    throw unusable(given, 'it is relative to the current directory, which was deleted');
  if (given) return home;
  const own = attempt(userHome, null);
  if (own !== null) return path.join(own, '.nodecluster');
  const reason = `HOME is not set, and user ${currentUid()} has no entry in /etc/passwd`;
  throw unusable('~/.nodecluster', reason);
}

/** @param {string} home an absolute path */
export function homePaths(home) {
  const appsDir = path.join(home, 'apps');
  const primariesDir = path.join(home, 'primaries');
  const logs = path.join(home, 'logs');
  return {
    home,
    daemonSocket: path.join(home, 'daemon.sock'),
    /** Through which a daemon gives the next one the sockets that it holds. */
    daemonHandover: path.join(home, 'handover.sock'),
    daemonLog: path.join(home, 'daemon.log'),
    desired: path.join(home, 'desired.json'),
    /** The latest events, one on a line. */
    events: path.join(home, 'events.jsonl'),
    /** Exists if an init system starts the daemon. */
    service: path.join(home, 'service.json'),
    /** What apps have that run as another user. */
    appsDir,
    primariesDir,
    /** The own output of primaries. */
    primaryLog: path.join(home, 'primary.log'),
    logs,
    /** Copies of this package, from which what runs was started. */
    versions: path.join(home, 'versions'),
    /** @param {string} name @param {number | null} [uid] the user that it runs as */
    app: (name, uid = null) => {
      const dir = path.join(appsDir, name);
      return { dir, user: userDirectory(dir, uid) };
    },
    /** @param {number} id @param {UserDirectory | null} [user] another one that it runs as */
    primary: (id, user = null) => primaryPaths(home, path.join(primariesDir, String(id)), user),
    /**
     * @param {string} prefix
     * @param {'out' | 'error'} stream
     * @param {{name: string, uid?: number | null}} [app] needed if it runs as another user
     */
    logFile: (prefix, stream, app) => {
      const user = app ? userDirectory(path.join(appsDir, app.name), app.uid) : null;
      return path.join(user?.dir ?? logs, logName(prefix, stream));
    },
  };
}

/**
 * Creates what is missing, and checks that no other user can enter it.
 * @param {string} home an absolute path
 * @throws {NodeclusterError} E_HOME_UNUSABLE, E_HOME_FOREIGN, E_HOME_OPEN
 */
export function ensureHome(home) {
  const paths = homePaths(home);
  const excess = Buffer.byteLength(path.join(home, LONGEST_SOCKET)) - MAX_SOCKET_PATH;
  if (excess > 0) throw unusable(home, `it is ${excess} bytes too long for a socket in it`);
  const { appsDir, primariesDir, logs } = paths;
  [home, appsDir, primariesDir, logs].forEach(ensurePrivateDirectory);
  return paths;
}

/** True also for what ensureHome refuses. @param {string} home an absolute path */
export function isHomePresent(home) {
  return attempt(() => lstatSync(home, { throwIfNoEntry: false }) !== undefined, true);
}

/**
 * For a running process.
 * @param {string} home an absolute path
 * @returns {boolean} whether it was missing
 * @throws {Error} the parent directory does not exist, as of a disk that is not mounted, and what ensureHome throws
 */
export function restoreHome(home) {
  const isMissing = !existsSync(home);
  const parent = path.dirname(home);
  if (isMissing && !existsSync(parent)) throw new Error(`${parent} does not exist`);
  ensureHome(home);
  return isMissing;
}

/**
 * Makes it the working directory of this daemon: the one before may have been removed or renamed.
 * @param {string} home an absolute path @returns {boolean} whether it was missing @throws {Error} as restoreHome
 */
export function enterHome(home) {
  const isMissing = restoreHome(home);
  const [there, here] = [statSync(home), statSync('.')];
  if (there.ino !== here.ino || there.dev !== here.dev) process.chdir(home);
  return isMissing;
}

/** Of a primary that runs as another user, seen from its own directory: it may not enter the home directory. */
export function pathsInUserDirectory() {
  return { ...filesOfPrimary(''), logFile: logName };
}

/** @param {number | null | undefined} uid @returns {uid is number} whether it is another user */
export function isOtherUser(uid) {
  return typeof uid === 'number' && uid !== currentUid();
}

/** @param {string} home @param {string} dir @param {UserDirectory | null} user */
function primaryPaths(home, dir, user) {
  const own = filesOfPrimary(user?.dir ?? dir);
  return {
    dir,
    user,
    /** Who it is, which the daemon trusts. */
    identity: path.join(dir, 'record.json'),
    ...own,
    log: user ? own.log : path.join(home, 'primary.log'),
  };
}

/** @param {string} dir of an app @param {number | null} [uid] @returns {UserDirectory | null} */
function userDirectory(dir, uid) {
  return isOtherUser(uid) ? { uid, dir: path.join(dir, `user-${uid}`) } : null;
}

/** @param {string} dir of a primary */
export function filesOfPrimary(dir) {
  return {
    /** Who it is, and the workers of each of its apps. */
    record: path.join(dir, 'record.json'),
    socket: path.join(dir, 'primary.sock'),
    /** Through which the primary gives the daemon its listening sockets. */
    handover: path.join(dir, 'sockets.sock'),
    /** The primary's own output. */
    log: path.join(dir, 'primary.log'),
  };
}

/** @param {string} prefix @param {'out' | 'error'} stream */
function logName(prefix, stream) {
  return `${prefix}-${stream}.log`;
}

/** @param {string} directory */
function ensurePrivateDirectory(directory) {
  const uid = currentUid();
  let stats;
  try {
    attempt(() => makeDirectorySync(directory, 0o700), undefined, ['EEXIST']);
    stats = lstatSync(directory);
  } catch (error) {
    throw unusable(directory, String(/** @type {NodeJS.ErrnoException} */ (error).code));
  }
  if (!stats.isDirectory()) throw unusable(directory, 'it is a link or a file, not a directory');
  if (stats.uid !== uid) {
    throw new NodeclusterError('E_HOME_FOREIGN', { directory, owner: stats.uid, uid });
  }
  if ((stats.mode & 0o077) !== 0 && !closeEmptyDirectory(directory)) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
    throw new NodeclusterError('E_HOME_OPEN', { directory, mode });
  }
}

/**
 * What a user has just made with mkdir is theirs to use. The second look is for what came until it was closed.
 * @param {string} directory
 * @returns {boolean} whether it was empty, and is private now
 */
function closeEmptyDirectory(directory) {
  const isEmpty = () => readdirSync(directory).length === 0;
  if (!isEmpty()) return false;
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const descriptor = openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    fchmodSync(descriptor, 0o700);
  } finally {
    closeSync(descriptor);
  }
  return isEmpty();
}

/** @param {string} directory @param {string} reason */
function unusable(directory, reason) {
  return new NodeclusterError('E_HOME_UNUSABLE', { directory, reason });
}

/** geteuid is missing on Windows only, where nodecluster does not run. */
function currentUid() {
  return process.geteuid?.() ?? -1;
}
