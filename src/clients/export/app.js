/** One app in a container: with `nodecluster-runtime` and an ecosystem file of its own, and what it loses there. */
import { dirname, isAbsolute, join, relative } from 'node:path';
import { settingsOf, writeYaml } from '../../api/write-ecosystem.js';
import { maskSecrets, splitSecrets } from '../../shared/secrets.js';
import { portsOf, resourcesOf } from './resources.js';

/**
 * @import { Spec } from '../../config/spec.js'
 *
 * @typedef {{specs: readonly Spec[], options: Record<string, any>}} Order options: of the command, only those that were given
 * @typedef {'service' | 'job' | 'cron'} Role job: runs once; cron: at given times
 * @typedef {ReturnType<typeof exportedApp>} ExportedApp
 */

const WORKDIR = '/app';
export const SETTINGS_DIRECTORY = '/etc/nodecluster';
export const PROBE_PORT = 9464;
/** The user `node` of the official images of Node. */
export const DEFAULT_USER = 1000;

const LOST =
  'out_file error_file log_file merge_logs log_rotate pid_file watch ignore_watch watch_delay'.split(
    ' ',
  );

/** Keys of settings that are left out of the file in the container: each is in the manifest, or a warning. */
const BY_THE_ENGINE = [...LOST, 'env', 'depends_on', 'uid', 'gid', 'privileged_ports'];

/** A Service goes on to send connections to a pod for a moment after it was asked to stop. */
const SHUTDOWN_DELAY_MS = 5000;

/** @param {Spec} given @param {Order} order */
export function exportedApp(given, { specs, options }) {
  const role = roleOf(given, specs);
  const resources = resourcesOf(given, options.cpus);
  const ports = role === 'service' ? portsOf(given, options.port) : null;
  const hasDelay = given.shutdownDelayMs > 0 || given.given.shutdownDelayMs !== undefined;
  const needsDelay = ports !== null && !hasDelay;
  const spec = needsDelay ? { ...given, shutdownDelayMs: SHUTDOWN_DELAY_MS } : given;
  const { settings, outside, left } = movedSettings(spec, options.workdir ?? WORKDIR, role);
  const masked = maskSecrets(settings);
  return {
    spec,
    role,
    /** The setting by which it is a job. */
    ending: spec.autorestart
      ? `stop_exit_codes: ${spec.stopExitCodes.join(', ')}`
      : 'autorestart: false',
    /** The text of its ecosystem file. */
    file: writeYaml([{ settings: masked }], [`Settings of ${spec.name}, for nodecluster run.`]),
    /** Paths that the engine must have too. */
    outside,
    /** Keys of settings that had values that looked secret. */
    masked: Object.keys(settings).filter(
      (key) => JSON.stringify(masked[key]) !== JSON.stringify(settings[key]),
    ),
    /** Without the variables of the shell: only what the file says. */
    environment: splitSecrets(spec.env),
    resources,
    ports,
    /** Keys of settings that are not in the file. */
    left,
  };
}

/**
 * As people use PM2: a program that is not started again does one piece of work. So does one for whose end another app
 * waits.
 * @param {Spec} spec
 * @param {readonly Spec[]} specs
 */
function roleOf({ name, autorestart, cronRestart, schedule }, specs) {
  if (specs.some(({ dependsOn }) => dependsOn[name] === 'exited')) return 'job';
  if (autorestart) return 'service';
  return schedule === null && cronRestart === null ? 'job' : 'cron';
}

/** @param {Spec} spec of an app that runs at given times */
export function timesOf({ schedule, cronRestart }) {
  const key = schedule === null ? 'cron_restart' : 'schedule';
  return { key, pattern: String(schedule ?? cronRestart) };
}

/**
 * @param {Spec} spec
 * @param {string} workdir what the directory of the ecosystem file, or else `cwd`, is called there
 * @param {Role} role
 */
function movedSettings(spec, workdir, role) {
  const { configFile, cwd } = spec;
  const from = configFile === null ? cwd : dirname(configFile);
  /** @type {string[]} */
  const outside = [];
  const move = (/** @type {unknown} */ path) => {
    if (typeof path !== 'string' || !isAbsolute(path)) return path;
    const rest = relative(from, path);
    if (rest !== '..' && !rest.startsWith('../')) return join(workdir, rest);
    outside.push(path);
    return path;
  };
  const all = settingsOf(spec);
  const isLeft = (/** @type {string} */ key) =>
    BY_THE_ENGINE.includes(key) || (role !== 'service' && OF_TIMES.includes(key));
  const settings = Object.entries(all)
    .filter(([key]) => !isLeft(key))
    .map(([key, value]) => [key, PATHS.includes(key) ? move(value) : value]);
  return { settings: Object.fromEntries(settings), outside, left: Object.keys(all).filter(isLeft) };
}

const PATHS = ['script', 'cwd', 'interpreter'];
const OF_TIMES = ['cron_restart', 'schedule', 'timezone', 'overlap'];

/** @param {ExportedApp} app @returns {(string | false)[]} what it loses, or must be given */
export function rowsOf(app) {
  const { spec, outside, resources, masked, left } = app;
  const lost = left.filter((key) => LOST.includes(key));
  return [
    lost.length > 0 &&
      `${lost.join(', ')}: no effect in a container, which logs to stdout and whose files do not change`,
    spec.uid !== null &&
      `uid: the files in the image must be readable by user ${spec.uid}, whatever its name is there`,
    ...rowsOfProcesses(app),
    outside.length > 0 &&
      `the image must have ${outside.join(', ')}: outside of the directory of the ecosystem file`,
    !resources.isLimited && 'max_memory_restart is not set, so its memory has no limit',
    ...masked.map(
      (key) => `${key}: what may be secret is replaced by ********: pass it as a variable of env`,
    ),
  ];
}

/** @param {ExportedApp} app @returns {(string | false)[]} */
function rowsOfProcesses({ spec, role, ports }) {
  const { cronRestart, timezone, stopExitCodes, incrementVar } = spec;
  const isService = role === 'service';
  return [
    isService &&
      cronRestart !== null &&
      `cron_restart: ${cronRestart} is a reload in each container, at the same time in all of them, in ${timezone ?? 'the time zone of the container (UTC if TZ is not set)'}`,
    isService &&
      stopExitCodes.length > 0 &&
      'stop_exit_codes: when all workers have exited with one of them, the container ends, and the engine starts it again',
    spec.execMode === 'fork' &&
      spec.instances !== 1 &&
      'instances: in fork mode the processes share no port; --replicas with `instances: 1` lets the engine spread them',
    incrementVar === 'PORT' &&
      'increment_var: each worker has its own port, and clients reach only the first',
    isService &&
      ports === null &&
      'its port is not known: if it serves clients, set PORT in env, or repeat with --port',
  ];
}
