/** What an app loses or must be given when it runs in a container. */
import { localVariables } from '../environment.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ExportedApp } from '../app.js'
 * @import { Order } from '../engines.js'
 */

const LOG_FILES = /** @type {const} */ (['outFile', 'errorFile', 'logFile']);

/** @type {((app: ExportedApp) => string | false)[]} */
const ROWS = [
  ({ spec }) => {
    const files = LOG_FILES.filter((key) => spec[key] !== null);
    const keys = files.map((key) => key.replace(/F/, '_f'));
    return files.length > 0 && `${keys.join(', ')}: the logs go to stdout and stderr`;
  },
  ({ spec }) => !spec.mergeLogs && 'merge_logs: the lines of all workers go to stdout and stderr',
  ({ spec }) =>
    isGiven(spec, 'logRotate') && 'log_rotate: the engine stores the logs and limits their size',
  ({ spec }) =>
    spec.pidFile !== null &&
    'pid_file: there is none, since pids of a container mean nothing outside',
  ({ spec }) =>
    spec.watch !== false && 'watch, ignore_watch, watch_delay: the files of an image do not change',
  ({ spec }) =>
    spec.watch === false &&
    (spec.ignoreWatch.length > 0 || isGiven(spec, 'watchDelayMs')) &&
    'ignore_watch, watch_delay: the files of an image do not change',
  ({ spec }) =>
    spec.uid !== null &&
    `uid: the files in the image must be readable by user ${spec.uid}, whatever its name is there`,
  ({ spec, role }) =>
    spec.cronRestart !== null &&
    role === 'service' &&
    `cron_restart: ${spec.cronRestart} is a reload in each container, at the same time in all of them, in the time zone of the container (UTC if TZ is not set)`,
  ({ spec, role }) =>
    spec.cronRestart !== null &&
    role === 'cron' &&
    'autorestart: false with cron_restart is a job: it does not run before its first time',
  ({ spec, role }) =>
    spec.stopExitCodes.length > 0 &&
    role === 'service' &&
    'stop_exit_codes: when all workers have exited with one of them, the container ends, and the engine starts it again',
  ({ spec }) =>
    spec.execMode === 'fork' &&
    spec.instances !== 1 &&
    'instances: in fork mode the processes share no port; --replicas with `instances: 1` lets the engine spread them',
  ({ spec }) =>
    spec.execMode === 'fork' &&
    'exec_mode: in fork mode a reload stops the old process first; the engine starts the new container before it stops the old one',
  ({ port }) =>
    (port?.count ?? 1) > 1 &&
    `increment_var: each worker has its own port (${port?.number} and up), and the engine does not balance between them`,
  ({ spec }) =>
    spec.incrementVar !== null &&
    !(spec.incrementVar in spec.env) &&
    `increment_var: ${spec.incrementVar} comes from the shell, whose variables are not exported: set it in env`,
  ({ spec, port, role }) =>
    role === 'service' &&
    port === null &&
    (isSocket(spec)
      ? 'it listens on a unix socket, which no other container can reach'
      : 'its port is not known: if it serves clients, set PORT in env, or repeat with --port'),
  ({ spec: { maxMemoryRestartBytes } }) =>
    maxMemoryRestartBytes === null && 'max_memory_restart is not set, so its memory has no limit',
  ({ outside }) =>
    outside.length > 0 &&
    `the image must have ${outside.join(', ')}: outside of the directory that --workdir stands for (--root names another)`,
  ({ isMasked }) =>
    isMasked &&
    'args contain what looks like a secret, which is replaced by ********: pass it as a variable of env',
  ({ environment }) => {
    const names = localVariables(environment);
    return (
      names.length > 0 &&
      `${names.map((name) => `env.${name}`).join(', ')}: localhost is the container itself, not the machine or another app`
    );
  },
];

/**
 * @param {ExportedApp} app
 * @returns {string[]}
 */
export function containerWarnings(app) {
  return ROWS.map((row) => row(app)).filter((text) => text !== false);
}

/**
 * @param {Order} order
 * @returns {string[]} about all apps
 */
export function imageWarnings({ options }) {
  return options.image === undefined
    ? ['--image is not given, so the image is called app:latest']
    : [];
}

/** @param {Spec} spec @param {string} key */
function isGiven({ given }, key) {
  return given !== null && key in given;
}

/** @param {Spec} spec */
function isSocket({ env, args }) {
  return [env.PORT ?? '', ...args].some((word) => /^\/.*\.sock$/.test(word));
}
