/** The settings of one app in an ecosystem file, from those of its processes in PM2. */
import { basename, extname, isAbsolute, relative } from 'node:path';
import { describeDateFormatFault } from '../../shared/log-files/date-format.js';
import { formatSize } from '../../shared/units.js';

/** @import { Pm2Process } from './running-pm2.js' */

const NODE_FILE = /\.[cm]?[jt]sx?$/;
/** A line in which a shell would do nothing but split words. */
const PLAIN_COMMAND = /^[^\n|&;<>(){}[\]*?$`\\~#!]+$/;

/** Same key, same meaning; written if it is not the default of PM2 (which is also ours). */
const SAME = {
  wait_ready: false,
  autorestart: true,
  max_restarts: undefined,
  min_uptime: undefined,
  restart_delay: 0,
  exp_backoff_restart_delay: 0,
  stop_exit_codes: undefined,
  cron_restart: '0',
  watch: false,
  ignore_watch: undefined,
  watch_delay: 0,
  kill_timeout: undefined,
  listen_timeout: undefined,
  shutdown_with_message: false,
  treekill: true,
  instance_var: 'NODE_APP_INSTANCE',
  increment_var: undefined,
  log_type: undefined,
  uid: undefined,
  gid: undefined,
};
/** Without an equal here, by what to do instead. */
const LOST = {
  filter_env: "its environment is not filtered; set unwanted variables to '' in env",
  watch_options: 'use ignore_watch and watch_delay',
  post_update: 'run these commands when you deploy',
  trace: 'nodecluster sends nothing to a service',
};

/**
 * @param {Pm2Process[]} group the processes of one app
 * @param {{name: string, directory: string|null, pm2Home: string}} context directory of the file; null: all paths are
 *   absolute
 * @returns {{settings: Record<string, unknown>, notes: string[]}} without env, those that are undefined
 *   are not written; notes: what was not carried over
 */
export function settingsOf(group, { name, directory, pm2Home }) {
  const { settings: from, isRunning } = group[0];
  const { max_memory_restart: memory } = from;
  /** @type {string[]} */
  const notes = [];
  if (!isRunning) {
    // PM2 shows a job that waits for its next time like one that the user stopped.
    const mayWait = isSet(from.cron_restart, SAME.cron_restart);
    const until = mayWait ? ', perhaps until its cron_restart' : '';
    notes.push(`it is stopped in PM2${until}; --switch leaves it there`);
  }
  const program = programOf(from, directory, notes);
  const own = Object.entries(SAME).filter(([key, normal]) => isSet(from[key], normal));
  for (const [key, text] of Object.entries(LOST)) {
    if (isSet(from[key], false)) notes.push(`${key} was not carried over: ${text}`);
  }
  const settings = {
    name,
    namespace: isSet(from.namespace, 'default') ? from.namespace : undefined,
    ...program,
    instances: group.length > 1 ? group.length : undefined,
    max_memory_restart: isSet(memory, 0) ? sizeOf(memory) : undefined,
    ...Object.fromEntries(own.map(([key]) => [key, from[key]])),
    source_maps: from.source_map_support === true || undefined,
    ...logsOf(group, { directory, pm2Home }, notes),
  };
  return { settings, notes };
}

/** @param {Record<string, any>} from @param {string|null} directory @param {string[]} notes */
function programOf(from, directory, notes) {
  const cwd = String(from.pm_cwd ?? '/');
  const place = pathFrom(directory, cwd);
  const line = commandLineOf(from);
  const isNode = /^node(js|@.*)?$/.test(basename(from.exec_interpreter ?? 'node'));
  return {
    cwd: place === '.' ? undefined : place,
    script: line ?? pathFrom(directory === null ? null : cwd, from.pm_exec_path),
    args: line === null ? unlessEmpty([from.args ?? []].flat()) : undefined,
    interpreter: line === null ? interpreterOf(from, notes) : undefined,
    node_args: unlessEmpty([from.node_args ?? []].flat()),
    exec_mode: isNode && from.exec_mode !== 'cluster_mode' ? 'fork' : undefined,
  };
}

/** @param {Record<string, any>} from @param {string[]} notes @returns {string|undefined} undefined: the usual one */
function interpreterOf({ exec_interpreter: interpreter = 'node', pm_exec_path: path }, notes) {
  const version = /^node@(.*)$/.exec(interpreter)?.[1];
  if (version) notes.push(`it ran with Node ${version}: set interpreter to the path of that Node`);
  const isUsual = NODE_FILE.test(path)
    ? interpreter === 'node'
    : interpreter === 'none' && extname(path) === '';
  return version || isUsual ? undefined : interpreter;
}

/** The line of `pm2 start "npm run x"`, which PM2 runs as `bash -c`. @param {Record<string, any>} from */
function commandLineOf({ pm_exec_path: path, args }) {
  const isShell = basename(path) === 'bash' && Array.isArray(args) && args.length === 2;
  return isShell && args[0] === '-c' && PLAIN_COMMAND.test(args[1]) ? args[1] : null;
}

/** @param {Pm2Process[]} group @param {{directory: string|null, pm2Home: string}} context @param {string[]} notes */
function logsOf(group, { directory, pm2Home }, notes) {
  const { settings: from, id } = group[0];
  const isSplit = group.length > 1 && from.merge_logs !== true;
  const fileOf = (/** @type {unknown} */ path) => {
    if (!isSet(path, undefined) || String(path).startsWith(`${pm2Home}/`)) return undefined;
    const file = isSplit ? String(path).replace(new RegExp(`-${id}(\\.log)?$`), '$1') : path;
    return pathFrom(directory === null ? null : (from.pm_cwd ?? null), String(file));
  };
  const files = {
    out_file: from.disable_logs ? '/dev/null' : fileOf(from.pm_out_log_path),
    error_file: from.disable_logs ? '/dev/null' : fileOf(from.pm_err_log_path),
    log_file: fileOf(from.pm_log_path),
  };
  const hasSplitFiles = isSplit && Object.values(files).some(Boolean) && !from.disable_logs;
  return {
    ...files,
    merge_logs: hasSplitFiles ? false : undefined,
    log_date_format: dateFormatOf(from, notes),
  };
}

/** @param {Record<string, any>} from @param {string[]} notes */
function dateFormatOf({ time, log_date_format: format }, notes) {
  // PM2 sets the format for `time: true`; lines have their time here anyway.
  if (time || !isSet(format, undefined)) return undefined;
  const fault = describeDateFormatFault(String(format));
  if (fault === null) return format;
  notes.push(`log_date_format was not carried over: ${fault}`);
  return undefined;
}

/** @param {unknown[]} list */
function unlessEmpty(list) {
  return list.length > 0 ? list : undefined;
}

/** @param {unknown} value @param {unknown} normal */
function isSet(value, normal) {
  const isEmpty =
    value === null || value === undefined || value === '' || (value === false && normal !== true);
  return !isEmpty && value !== normal && !(Array.isArray(value) && value.length === 0);
}

/** @param {unknown} bytes */
function sizeOf(bytes) {
  return typeof bytes === 'number' && bytes % 1024 ** 2 === 0 ? formatSize(bytes) : bytes;
}

/** @param {string|null} directory @param {string} path @returns {string} relative, if it is in the directory */
function pathFrom(directory, path) {
  if (directory === null || !isAbsolute(path)) return path;
  const way = relative(directory, path);
  if (way === '') return '.';
  return way.startsWith('..') ? path : `./${way}`;
}
