/** The facts that a diagnosis needs. None of them starts a daemon or changes anything. */
import { existsSync, lstatSync, readdirSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { describeFull, mountOf, parseMounts } from '../../api/full-disks.js';
import { recordedApps } from '../../api/recorded-apps.js';
import { NodeclusterError, attempt } from '../../errors/error.js';
import { within } from '../../shared/deadline.js';
import { readText } from '../../shared/files/inspect-path.js';
import { readDesiredFile, readSmallFile } from '../../shared/files/small-file.js';
import { homePaths } from '../../shared/home.js';
import { daemonPid } from '../../shared/processes/daemon-lock.js';
import {
  findListeningProcesses,
  nameListener,
} from '../../shared/processes/listening-processes.js';
import { VERSION } from '../../shared/version.js';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { RecordedApp } from '../../api/recorded-apps.js'
 * @import { App, DaemonStatus } from '../../protocol/shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Facts } from './findings.js'
 */

const MAX_WAIT_MS = 10_000;
const MAX_RECORD = 16 * 1024;

/** @typedef {{name: string, env?: Record<string, string>, shellEnv?: Record<string, string>, outFile?: string, errorFile?: string, logFile?: string}} Spec as saved */

/** @param {Context} context @returns {Promise<Facts>} */
export async function gather({ daemons }) {
  const paths = homePaths(daemons.home);
  const uid = process.geteuid?.() ?? -1;
  const stats = attempt(() => lstatSync(paths.home), null);
  const isUsable = stats?.uid === uid && (stats.mode & 0o077) === 0;
  const nobody = { ...NO_ANSWER, silence: null };
  const { daemon, apps, silence } = isUsable ? await askDaemon(daemons) : nobody;
  const specs = attempt(() => specsOf(paths), []);
  return {
    own: { version: VERSION, node: process.version, uid },
    home: stats && { path: paths.home, uid: stats.uid, mode: stats.mode },
    daemon,
    silence,
    now: Date.now(),
    ports: attempt(() => heldPorts(paths, specs, apps), []),
    counts: countsOf(attempt(() => daemonPid(paths.home), null)),
    disks: fullDisks(paths, specs),
    missing: missingOf(paths.service),
  };
}

/** @typedef {{daemon: DaemonStatus | null, apps: App[] | null, silence: string | null}} Answer */

const NO_ANSWER = { daemon: null, apps: null };

/** @param {Context['daemons']} daemons @returns {Promise<Answer>} */
async function askDaemon(daemons) {
  try {
    const silence = `The daemon did not answer within ${MAX_WAIT_MS / 1000} s.`;
    return (await within(answerOf(daemons), MAX_WAIT_MS)) ?? { ...NO_ANSWER, silence };
  } catch (thrown) {
    return { ...NO_ANSWER, silence: NodeclusterError.from(thrown).message };
  }
}

/** @param {Context['daemons']} daemons @returns {Promise<Answer>} */
async function answerOf(daemons) {
  const client = await daemons.find();
  if (!client) return { ...NO_ANSWER, silence: null };
  const daemon = await client.request('ping', {});
  const { apps } = await client.request('list', {});
  return { daemon, apps, silence: null };
}

/** @param {HomePaths} paths @returns {Spec[]} */
function specsOf({ desired }) {
  /** @type {{apps: {spec: Spec}[]}} */
  const { apps } = JSON.parse(readDesiredFile(desired) ?? '{"apps":[]}');
  return apps.map(({ spec }) => spec);
}

/**
 * Of apps that should run, but do not.
 * @param {HomePaths} paths
 * @param {Spec[]} specs
 * @param {App[] | null} apps as the daemon knows them; null: it does not reply
 * @returns {Facts['ports']}
 */
function heldPorts(paths, specs, apps) {
  const own = apps?.map(({ name, primaryPid = null, workers }) => ({
    name,
    primaryPid,
    slots: workers.map(({ pid = null }) => ({ pid })),
  }));
  const isFine = (/** @type {RecordedApp} */ { name, isStopped, isRunning }) =>
    isStopped || (apps ? apps.find((app) => app.name === name)?.status === 'online' : isRunning);
  const failing = recordedApps(paths).filter((app) => !isFine(app));
  return failing.flatMap(({ name: app }) => {
    const { env, shellEnv } = specs.find(({ name }) => name === app) ?? {};
    const port = Number(env?.PORT ?? shellEnv?.PORT);
    if (!Number.isInteger(port) || port <= 0) return [];
    const found = findListeningProcesses({ address: null, port });
    const holder = found.isConnection ? undefined : nameListener(found, own ?? null);
    return holder && !holder.split(' or ').includes(app) ? [{ app, port, holder }] : [];
  });
}

/** @param {number | null} pid of the daemon @returns {Facts['counts']} */
function countsOf(pid) {
  const limits = readText(`/proc/${pid ?? 'self'}/limits`);
  const [, soft, hard] = /^Max open files +(\d+) +(\d+)/m.exec(limits) ?? [];
  const [, group = '/'] = /^0::(.*)$/m.exec(readText(`/proc/${pid ?? 'self'}/cgroup`)) ?? [];
  const directory = path.join('/sys/fs/cgroup', group);
  const unit = group.endsWith('.service') ? path.basename(group) : null;
  const tasks = readText('/proc/loadavg').split(' ')[3]?.split('/')[1];
  const most = ['pid_max', 'threads-max'].map((name) => readText(`/proc/sys/kernel/${name}`));
  const open = pid === null ? null : attempt(() => readdirSync(`/proc/${pid}/fd`).length, null);
  return [
    // Node raises its own soft limit to the hard one when it starts.
    {
      name: `File descriptors of ${pid === null ? 'this shell' : 'the daemon'}`,
      used: open,
      max: numberOf(pid ? soft : hard),
      unit,
    },
    {
      name: `Processes and threads of ${unit ?? 'this control group'}`,
      used: numberOf(readText(path.join(directory, 'pids.current'))),
      max: numberOf(readText(path.join(directory, 'pids.max'))),
      unit,
    },
    {
      name: 'Processes and threads of the machine',
      used: numberOf(tasks),
      max: Math.min(...most.map((text) => numberOf(text) ?? Infinity)),
      unit: null,
    },
  ];
}

/** @param {string | undefined} text @returns {number | null} null: `max`, or not known */
function numberOf(text) {
  return text && /^\d+\s*$/.test(text) ? Number(text) : null;
}

/** @param {HomePaths} paths @param {Spec[]} specs */
function fullDisks({ home, logs }, specs) {
  const mounts = parseMounts(readText('/proc/self/mountinfo'));
  const files = specs.flatMap(({ outFile, errorFile, logFile }) => [outFile, errorFile, logFile]);
  const named = files.filter((file) => file && path.isAbsolute(file) && !file.startsWith('/dev/'));
  const used = [home, path.join(logs, 'x'), ...named.map(String)].map((file) =>
    mountOf(file, mounts),
  );
  const unique = new Map(used.map((mount) => [mount.device, mount]));
  return [...unique.values()].flatMap(
    (mount) =>
      describeFull(
        mount,
        attempt(() => statfsSync(mount.directory), null),
      ) ?? [],
  );
}

/** @param {string} file in which the daemon of a service recorded what starts it @returns {string[]} */
function missingOf(file) {
  const record = attempt(() => JSON.parse(readSmallFile(file, MAX_RECORD)), null);
  const command = Array.isArray(record?.command) ? record.command : [];
  return command
    .map(String)
    .filter((/** @type {string} */ each) => path.isAbsolute(each) && !existsSync(each));
}
