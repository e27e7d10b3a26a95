/** Starts processes that outlive their parent: the daemon, and the primary of each app. */
import { spawn } from 'node:child_process';
import { closeSync, statSync } from 'node:fs';
import { NodeclusterError } from '../../errors/error.js';
import { openToAppend } from '../files/small-file.js';

/** @import { ChildProcess, SpawnOptions } from 'node:child_process' */

/** No NODE_OPTIONS and no secrets. TZ is the time zone of cron_restart. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/**
 * For glibc. With an arena for each of Node's threads a daemon has 4 MB more, and without fixed thresholds the first large
 * file makes it keep 0.5 MB. A primary removes them from its environment, so workers do not get them.
 */
const SMALL_MALLOC = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/** For V8: up to 5 MB less in each process, and garbage of reloads does not stay. No worker inherits it. */
const SMALL_HEAP = '--optimize-for-size';

/** The Node that runs this process: Linux keeps the file of a running program. */
export const OWN_FILE = '/proc/self/exe';

/** The Node that runs this process: after an upgrade its path has another one, and a running tree stays with its own. */
export function ownNode() {
  const stats = (/** @type {string} */ file) => statSync(file, { throwIfNoEntry: false });
  const [there, own] = [stats(process.execPath), stats(OWN_FILE)];
  // Without /proc nothing tells.
  const isSame = !own || (there?.ino === own.ino && there.dev === own.dev);
  return isSame ? process.execPath : OWN_FILE;
}

/**
 * @param {string[]} command the path of Node, the script, and its arguments
 * @param {{home: string, log: string, env: Record<string, string | undefined>, stdio?: ('pipe' | number)[], gid?: number}} options
 *   log: for stdout and stderr; stdio: after these; gid: with it, it has no supplementary groups
 * @throws {NodeclusterError} E_HOME_WRITE
 */
export function launchDetached(command, { home, log, env, stdio = [], gid }) {
  const inherited = INHERITED.filter((name) => env[name] !== undefined);
  let output;
  try {
    output = openToAppend(log);
  } catch (error) {
    const { message: reason } = /** @type {Error} */ (error);
    throw new NodeclusterError('E_HOME_WRITE', { file: log, reason }, error);
  }
  try {
    return spawnDetached(command, {
      cwd: home,
      env: {
        ...Object.fromEntries(inherited.map((name) => [name, env[name]])),
        NODECLUSTER_HOME: home,
        ...SMALL_MALLOC,
      },
      stdio: ['ignore', output, output, ...stdio],
      gid,
    });
  } finally {
    closeSync(output);
  }
}

/** @param {ChildProcess} child @returns {boolean} whether it was started and has not exited */
export function isRunning({ pid, exitCode, signalCode }) {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** @param {string[]} command @param {SpawnOptions} options */
export function spawnDetached([execPath, ...args], options) {
  // With uid or gid it has no supplementary groups.
  const child = spawn(execPath, [SMALL_HEAP, ...args], { ...options, detached: true });
  child.unref();
  return child;
}
