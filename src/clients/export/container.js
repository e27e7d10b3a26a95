/** What an app loses or must be given when it runs in a container. */
import { commonRows, exportedApp, isServer, localVariables } from './app.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ExportedApp } from './app.js'
 * @import { Order, Warning } from './head.js'
 */

/** Settings that have no effect, and why. @type {[keys: string[], reason: string][]} */
const LOST = [
  [['out_file', 'error_file', 'log_file', 'merge_logs'], 'all lines go to stdout and stderr'],
  [['log_rotate'], 'the engine stores the logs and limits their size'],
  [['pid_file'], 'a pid of a container means nothing outside of it'],
  [['watch', 'ignore_watch', 'watch_delay'], 'the files of an image do not change'],
];

/** @type {((app: ExportedApp) => string | false)[]} */
const ROWS = [
  ({ spec }) =>
    spec.uid !== null &&
    `uid: the files in the image must be readable by user ${spec.uid}, whatever its name is there`,
  ({ spec, role }) =>
    spec.cronRestart !== null &&
    isServer(spec, role) &&
    `cron_restart: ${spec.cronRestart} is a reload in each container, at the same time in all of them, in ${spec.timezone ?? 'the time zone of the container (UTC if TZ is not set)'}`,
  ({ spec, role }) =>
    spec.stopExitCodes.length > 0 &&
    isServer(spec, role) &&
    'stop_exit_codes: when all workers have exited with one of them, the container ends, and the engine starts it again',
  ({ spec }) =>
    spec.execMode === 'fork' &&
    spec.instances !== 1 &&
    'instances: in fork mode the processes share no port; --replicas with `instances: 1` lets the engine spread them',
  ({ ports }) =>
    ports !== null &&
    ports.isPerWorker &&
    `increment_var: each worker has its own port (${ports.numbers.join(', ')}), and the engine does not balance between them`,
  ({ spec, ports, role }) =>
    isServer(spec, role) &&
    ports === null &&
    'its port is not known: if it serves clients, set PORT in env, or repeat with --port',
  ({ outside }) =>
    outside.length > 0 &&
    `the image must have ${outside.join(', ')}: outside of the directory of the ecosystem file`,
  ({ environment }) => {
    const names = localVariables(environment);
    return (
      names.length > 0 &&
      `${names.map((name) => `env.${name}`).join(', ')}: localhost is the container itself, not the machine or another app`
    );
  },
];

/** @param {Spec} spec @param {Order} order @param {boolean} [hasTimes] */
export function imageApp(spec, order, hasTimes) {
  const { workdir = WORKDIR } = order.options;
  return exportedApp(spec, order, { workdir, byEngine: BY_THE_ENGINE, hasTimes });
}

/** @param {ExportedApp} app */
export function containerRows(app) {
  return [...lostSettings(app), ...ROWS.map((row) => row(app)), ...commonRows(app, 'the image')];
}

/**
 * @param {Order} order
 * @param {string} [instead] what happens without an image
 * @returns {Warning[]} about all apps
 */
export function imageWarnings({ options }, instead = 'the image is called app:latest') {
  const text = `--image is not given, so ${instead}`;
  return options.image === undefined ? [{ app: null, text }] : [];
}

/** @param {ExportedApp} app */
function lostSettings({ left }) {
  return LOST.flatMap(([keys, reason]) => {
    const own = left.filter((key) => keys.includes(key));
    return own.length > 0 ? [`${own.join(', ')}: ${reason}`] : [];
  });
}

/** What is the same for every engine that runs images. */
const WORKDIR = '/app';
export const SETTINGS_DIRECTORY = '/etc/nodecluster';
export const PROBE_PORT = 9464;
/** The user `node` of the official images of Node. */
export const DEFAULT_USER = 1000;

/** Keys of settings that are left out of the file in the container: each is in the manifest, or a warning. */
const BY_THE_ENGINE = LOST.flatMap(([keys]) => keys).concat([
  'env',
  'depends_on',
  'uid',
  'gid',
  'privileged_ports',
]);

/**
 * @param {string} name of an app
 * @returns {string} the path of its ecosystem file in the container
 */
export function settingsPath(name) {
  return `${SETTINGS_DIRECTORY}/${name}.yml`;
}
