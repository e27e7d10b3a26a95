/** The facts that a diagnosis needs. None of them starts a daemon. */
import { constants, existsSync, realpathSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { recordedApps } from '../../api/recorded-apps.js';
import { NodeclusterError, attempt } from '../../errors/error.js';
import { within } from '../../shared/deadline.js';
import { findDesired } from '../../shared/files/desired-file.js';
import { isAccessible, listDirectory, readText } from '../../shared/files/inspect-path.js';
import { homePaths } from '../../shared/home.js';
import { formatSize } from '../../shared/units.js';
import { VERSION } from '../../shared/version.js';

/**
 * @import { StatsFs } from 'node:fs'
 * @import { Context } from '../../cli/context.js'
 * @import { App } from '../../protocol/shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 *
 * @typedef {Awaited<ReturnType<typeof gather>>} Facts
 */

const MAX_WAIT_MS = 10_000;

/** @param {Context} context */
export async function gather(context) {
  const paths = homePaths(context.daemons.home);
  const { home, logs } = paths;
  const { daemon, apps, fault, damaged } = await askDaemon(context.daemons, paths);
  const recorded = daemon || fault ? [] : attempt(() => recordedApps(paths), []);
  return {
    own: { version: VERSION, node: process.version, uid: process.geteuid?.() ?? -1 },
    /** Of the home or its list of apps, or of a daemon that runs and does not answer. */
    fault,
    home,
    daemon,
    damaged,
    /** Apps that should run, and that nothing starts. */
    down: recorded.flatMap((app) => (app.isStopped || app.isRunning ? [] : app.name)),
    exhausted: apps.filter(lacksDescriptors).map(({ name, primaryPid }) => ({ name, primaryPid })),
    /** Files and directories, or where the home would be made. */
    closed: closedOf(paths),
    disks: await fullDisks([home, logs].map(existingPart)),
    missing: await missingFiles(context),
  };
}

/**
 * `daemon` null: none runs, or it does not answer. `damaged`: the list of apps, which no daemon writes anew.
 * @param {Context['daemons']} daemons
 * @param {HomePaths} paths
 */
async function askDaemon(daemons, { home, daemonLog: log, desired }) {
  const ask = async () => {
    const client = await daemons.find();
    if (!client) {
      const { from } = findDesired(desired);
      const damaged = from === desired ? null : { file: desired, hasCopy: from !== null };
      return { daemon: null, apps: [], damaged };
    }
    const daemon = await client.request('ping', {});
    return {
      daemon,
      apps: (await client.request('list', { fields: ['usage'] })).apps,
      damaged: null,
    };
  };
  try {
    const answer = await within(ask(), MAX_WAIT_MS);
    if (answer) return { ...answer, fault: null };
    // Perhaps it is busy.
    throw new NodeclusterError('E_DAEMON_SILENT', { home, log });
  } catch (thrown) {
    return { daemon: null, apps: [], damaged: null, fault: NodeclusterError.from(thrown) };
  }
}

/** @param {App} app */
function lacksDescriptors({ workers }) {
  return workers.some(
    (worker) => worker.files || /\bEMFILE\b|too many open files/i.test(JSON.stringify(worker)),
  );
}

/** @param {string} file that may not exist yet @returns {string} it, or the directory above it that exists, without links */
function existingPart(file) {
  if (existsSync(file) || file === path.dirname(file)) {
    return attempt(() => realpathSync(file), file);
  }
  return existingPart(path.dirname(file));
}

/** @param {HomePaths} paths @returns {string[]} what this user may not use */
function closedOf({ home, primariesDir }) {
  const inside = [home, primariesDir].flatMap((directory) =>
    listDirectory(directory).map((name) => path.join(directory, name)),
  );
  const { R_OK, W_OK } = constants;
  // A link may lead nowhere.
  const all = [existingPart(home), ...inside.filter((file) => existsSync(file))];
  return all.filter((file) => !isAccessible(file, R_OK | W_OK));
}

/**
 * The paths of Node and of the command, in quotes or not, as each init system writes them. One with a character that may
 * have been escaped is left out.
 */
const PROGRAMS =
  /(?<=["'>])\/[^"'<>\\%$&\n]*\/(?:node|nodecluster\.js)(?=["'<])|(?<=[\s="'])\/[^\s"'<>\\%$&:]*\/(?:node|nodecluster\.js)(?=[\s"';])/g;

/**
 * Files that a service of this machine starts, and that do not exist. `by`: the file of the service; `isOfUser`: of the
 * user's own manager.
 * @param {Context} context
 */
async function missingFiles(context) {
  // By what is installed where `startup` would install it.
  const started = async (/** @type {boolean} */ isOfUser) => {
    let text = '{"files":[]}';
    const print = (/** @type {string} */ line) => void (text = line);
    const options = { print: true, json: true, ...(isOfUser ? { user: true } : {}) };
    // It throws where the user has no name, or the init system no services of users.
    await context.runCommand('startup', { options }, { print, note() {} }).catch(() => {});
    /** @type {{files: {path: string}[]}} */
    const { files } = JSON.parse(text);
    return files.flatMap(({ path: by }) =>
      programsIn(readText(by)).map((file) => ({ file, by, isOfUser })),
    );
  };
  const scopes = await Promise.all([false, true].map(started));
  // One that cannot be seen may exist.
  const isMissing = (/** @type {{file: string}} */ { file }) =>
    attempt(() => statSync(file, { throwIfNoEntry: false }) === undefined, false);
  return scopes.flat().filter(isMissing);
}

/** What a service file starts that `startup` has written. @param {string} text of it @returns {string[]} */
export function programsIn(text) {
  return [...new Set(text.match(PROGRAMS))];
}

/** Bytes; a program may find this much too little, unless it is a good part of a small file system. */
const FEW = 1024 ** 2;

/** @param {string[]} directories that exist */
async function fullDisks(directories) {
  const disks = [...new Set(directories.map(mountPointOf))].map(async (directory) => {
    const stats = await statfs(directory).catch(() => null);
    const text = stats && describeFull(directory, stats);
    return text ? [{ directory, hasInodes: stats.files === 0 || stats.ffree > 0, text }] : [];
  });
  return (await Promise.all(disks)).flat();
}

/** @param {string} directory @returns {string} the highest one of the same file system */
function mountPointOf(directory) {
  const parent = path.dirname(directory);
  const isTop = parent === directory || statSync(parent).dev !== statSync(directory).dev;
  return isTop ? directory : mountPointOf(parent);
}

/** @param {string} directory @param {Pick<StatsFs, 'bsize' | 'blocks' | 'bavail' | 'files' | 'ffree'>} stats @returns {string | null} null: it is not full */
export function describeFull(directory, { bsize, blocks, bavail, files, ffree }) {
  if (blocks > 0 && bavail * bsize < FEW && bavail < blocks / 100) {
    return `${directory} (${formatSize(bavail * bsize)} of ${formatSize(blocks * bsize)} free)`;
  }
  return blocks > 0 && files > 0 && ffree === 0 ? `${directory} (no inode of ${files} free)` : null;
}
