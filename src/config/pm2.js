/** What ecosystem files of PM2 may say and nodecluster does not do, with the nearest thing it does. */

const GIT = 'nodecluster does not look into repositories';
const TELEMETRY = 'nodecluster sends no metrics anywhere';

/** @type {[string, string[]][]} */
const ADVICE = [
  ['set out_file and error_file to /dev/null', ['disable_logs']],
  ['`nodecluster ls --json` has the pid of every worker', ['pid_file', 'pid']],
  ['kill_timeout says how long a worker may take to end', ['kill_retry_time']],
  ['apps are started; leave one out with --only', ['autostart']],
  ["set unwanted variables to '' in env", ['filter_env']],
  ['use node_args: --enable-source-maps', ['source_map_support', 'disable_source_map_support']],
  ['set PORT in env, with increment_var: PORT for one per worker', ['port']],
  [
    'write the whole name into name, or group apps by namespace',
    ['name_prefix', 'append_env_to_name'],
  ],
  ['use uid and gid', ['username']],
  ['use watch, ignore_watch and watch_delay', ['watch_options']],
  ['start the same script twice under two names', ['force']],
  ['use exec_mode: fork', ['execute_command']],
  [GIT, ['vizion', 'post_update', 'install_url', 'ref', 'repo']],
  [TELEMETRY, ['pmx', 'automation', 'trace', 'disable_trace', 'v8', 'event_loop_inspector']],
  [TELEMETRY, ['deep_monitoring', 'io', 'instance_id', 'pm_id']],
  ['it has no meaning on Linux and macOS', ['windows_hide']],
  ['write the file yourself, or with nodecluster init', ['write']],
];

const byKey = new Map(ADVICE.flatMap(([advice, keys]) => keys.map((key) => [key, advice])));

/** Sections of a whole file. */
const SECTIONS = new Map([
  ['deploy', 'copy releases with a tool for it, point a `current` link at them and reload'],
  ['static', 'serve files with a web server, or with an app of yours'],
]);

/** Flags of `pm2 start` that are no keys of its files, or look other than them. */
const FLAGS = new Map([
  ['--no-daemon', 'commands return when the app is online; it runs on in the background'],
  ['--attach', 'its output is in the log files; `nodecluster describe` names them'],
  ['--no-vizion', GIT],
  ['--no-pmx', TELEMETRY],
  ['--cron', 'use --cron-restart'],
  ['--interpreter-args', 'use --node-args'],
  ['--stop-exit', 'use --stop-exit-codes'],
  ['--wait-ip', 'commands do not wait for networks; use wait_ready in the program'],
  ['--hp', 'set NODECLUSTER_HOME'],
  ['--time', 'log lines begin with their time; --no-time leaves it out'],
  ['--merge-logs', 'all workers of an app write to the same files; --no-merge-logs separates them'],
  ['-u', 'use --uid and --gid'],
  ['-f', 'start the same script twice under two names'],
  ['-x', 'use --exec-mode fork'],
]);

/**
 * @param {string} flag as it was typed, with its dashes
 * @returns {string|undefined} a sentence
 */
export function pm2FlagAdvice(flag) {
  const key = flag.replace(/^--/, '').replaceAll('-', '_');
  const advice = FLAGS.get(flag) ?? (flag.startsWith('--') ? byKey.get(key) : undefined);
  return advice && `nodecluster has no ${flag}: ${advice}.`;
}

/**
 * @param {string} key in snake_case
 * @returns {string|undefined}
 */
export function pm2Advice(key) {
  return byKey.get(key);
}

/**
 * @param {string} key at the top of a file
 * @returns {string|undefined}
 */
export function pm2SectionAdvice(key) {
  return SECTIONS.get(key);
}
