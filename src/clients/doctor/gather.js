/** The facts that a diagnosis needs. None of them starts a daemon. */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fullOf, mountOf, parseMounts } from '../../api/full-disks.js';
import { recordedApps } from '../../api/recorded-apps.js';
import { NodeclusterError, attempt } from '../../errors/error.js';
import { within } from '../../shared/deadline.js';
import { copyOf, findDesired } from '../../shared/files/desired-file.js';
import { isAccessible, listDirectory, readText } from '../../shared/files/inspect-path.js';
import { homePaths } from '../../shared/home.js';
import { daemonPid } from '../../shared/processes/daemon-lock.js';
import {
  findListeningProcesses,
  nameListener,
} from '../../shared/processes/listening-processes.js';
import { VERSION } from '../../shared/version.js';
import { takenPlace } from '../../show/help.js';
import { clockOf } from './clock.js';
import { limitsOf } from './limits.js';
import { missingFiles } from './service.js';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { Mount } from '../../api/full-disks.js'
 * @import { RecordedApp } from '../../api/recorded-apps.js'
 * @import { App, DaemonStatus } from '../../protocol/shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Facts } from './findings.js'
 */

const MAX_WAIT_MS = 10_000;

/** @typedef {{name: string, env?: Record<string, string>, shellEnv?: Record<string, string>, outFile?: string, errorFile?: string, logFile?: string}} Spec as saved */

/** @param {Context} context @returns {Promise<Facts>} */
export async function gather(context) {
  const paths = homePaths(context.daemons.home);
  const { home } = paths;
  const uid = process.geteuid?.() ?? -1;
  const now = Date.now();
  const { daemon, apps, fault, damaged = null } = await askDaemon(context.daemons, paths);
  const saved = attempt(() => findDesired(paths.desired).apps, []);
  const specs = saved.flatMap((each) => each?.spec ?? []);
  const recorded = attempt(() => recordedApps(paths), []);
  const mounts = parseMounts(readText('/proc/self/mountinfo'));
  const isDown = (/** @type {RecordedApp} */ each) => !each.isStopped && !each.isRunning;
  const hasSudo = String(process.env.PATH)
    .split(':')
    .some((directory) => existsSync(path.join(directory, 'sudo')));
  return {
    own: { version: VERSION, node: process.version, uid, platform: process.platform, hasSudo },
    now,
    fault,
    home,
    daemon,
    damaged,
    down: daemon || fault ? [] : recorded.filter(isDown).map(({ name }) => name),
    ports: attempt(() => takenPorts(recorded, specs, apps), []),
    limits: limitsOf(
      attempt(() => daemonPid(home), null),
      uid,
    ),
    primaries: [...new Set((apps ?? []).flatMap(({ primaryPid }) => primaryPid ?? []))],
    unwritable: fault ? null : unwritableOf(home, mounts),
    closed: closedOf(paths),
    disks: await fullOf(usedMounts(paths, specs, mounts)),
    missing: await missingFiles(context),
    clock: await clockOf(home, now),
  };
}

/** @typedef {{daemon: DaemonStatus | null, apps: App[] | null, fault: NodeclusterError | null, damaged?: Facts['damaged']}} Answer */

/** @param {Context['daemons']} daemons @param {HomePaths} paths @returns {Promise<Answer>} */
async function askDaemon(daemons, paths) {
  const { home, daemonLog: log } = paths;
  // Perhaps it is busy.
  const silent = new NodeclusterError('E_DAEMON_SILENT', { home, log });
  const none = { daemon: null, apps: null };
  try {
    return (await within(answerOf(daemons, paths), MAX_WAIT_MS)) ?? { ...none, fault: silent };
  } catch (thrown) {
    return { ...none, fault: NodeclusterError.from(thrown) };
  }
}

/** @param {Context['daemons']} daemons @param {HomePaths} paths @returns {Promise<Answer>} */
async function answerOf(daemons, { desired }) {
  const client = await daemons.find();
  // A daemon that runs needs it when the next one starts, and writes it anew if it is damaged.
  const { from } = findDesired(desired);
  const damaged = from === desired ? null : { file: desired, hasCopy: from !== null };
  if (!client) return { daemon: null, apps: null, fault: null, damaged };
  const daemon = await client.request('ping', {});
  const { apps } = await client.request('list', {});
  return { daemon, apps, fault: null };
}

/**
 * Of apps that should run, but do not.
 * @param {RecordedApp[]} recorded
 * @param {Spec[]} specs
 * @param {App[] | null} apps as the daemon knows them; null: it does not reply
 * @returns {Facts['ports']}
 */
function takenPorts(recorded, specs, apps) {
  return recorded.flatMap(({ name: app, isStopped, isRunning }) => {
    const own = apps?.find(({ name }) => name === app);
    if (isStopped || (apps ? own?.status === 'online' : isRunning)) return [];
    const spec = specs.find(({ name }) => name === app);
    // Whoever holds it while a daemon runs may be the primary that it just starts.
    const taken = apps ? takenPlace(own?.workers ?? []) : takenPort(app, spec);
    return taken ? [{ app, ...taken }] : [];
  });
}

/**
 * Of an app that has not tried it yet.
 * @param {string} app
 * @param {Spec | undefined} spec
 */
function takenPort(app, spec) {
  const port = Number(spec?.env?.PORT ?? spec?.shellEnv?.PORT);
  if (!Number.isInteger(port) || port <= 0) return null;
  const found = findListeningProcesses({ address: null, port });
  const holder = found.isConnection ? undefined : nameListener(found, null);
  const isOther = holder && !holder.split(' or ').includes(app);
  return isOther ? { place: `port ${port}`, holder } : null;
}

/** @param {string} file that may not exist yet @returns {string} it, or the directory above it that exists, without links */
function existingPart(file) {
  if (existsSync(file) || file === path.dirname(file)) {
    return attempt(() => realpathSync(file), file);
  }
  return existingPart(path.dirname(file));
}

/** @param {string} home @param {Mount[]} mounts @returns {Facts['unwritable']} */
function unwritableOf(home, mounts) {
  const directory = existingPart(home);
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return null;
  } catch (thrown) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (thrown);
    return { directory, code, mount: mountOf(directory, mounts).directory };
  }
}

/** @param {HomePaths} paths @returns {string[]} */
function closedOf({ home, logs, appsDir, versions, desired }) {
  // The user may have put other files there.
  const own = listDirectory(home).filter((name) => name.endsWith('.log'));
  const apps = listDirectory(appsDir).map((name) => path.join(appsDir, name));
  const all = [
    logs,
    appsDir,
    versions,
    copyOf(desired),
    ...own.map((name) => path.join(home, name)),
    ...apps,
  ];
  const { R_OK, W_OK } = constants;
  return all.filter((file) => existsSync(file) && !isAccessible(file, R_OK | W_OK));
}

/** @param {HomePaths} paths @param {Spec[]} specs @param {Mount[]} mounts */
function usedMounts({ home, logs }, specs, mounts) {
  const files = specs.flatMap(({ outFile, errorFile, logFile }) => [outFile, errorFile, logFile]);
  const named = files.filter((file) => file && path.isAbsolute(file) && !file.startsWith('/dev/'));
  return [home, logs, ...named.map(String)].map((file) => mountOf(existingPart(file), mounts));
}
