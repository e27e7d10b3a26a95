/** Keys and flags of PM2 that nodecluster does not have, with the closest equivalent. */

const GIT = 'nodecluster does not inspect repositories';
const TELEMETRY = 'nodecluster does not send metrics anywhere';

/** @type {[string, string[]][]} */
const ADVICE = [
  ['use kill_timeout', ['kill_retry_time']],
  ['all apps are started; select some with --only', ['autostart']],
  ["set unwanted variables to '' in env", ['filter_env']],
  ['set source_maps: false', ['disable_source_map_support']],
  ['put the whole name into name, or group apps by namespace', ['name_prefix']],
  ['use uid and gid', ['username']],
  ['use watch, ignore_watch and watch_delay', ['watch_options']],
  ['start the same script twice under two names', ['force']],
  ['use exec_mode: fork', ['execute_command']],
  [GIT, ['vizion', 'post_update', 'install_url', 'ref', 'repo']],
  [TELEMETRY, ['pmx', 'automation', 'trace', 'disable_trace', 'v8', 'event_loop_inspector']],
  [TELEMETRY, ['deep_monitoring', 'io', 'instance_id', 'pm_id']],
  ['it has no effect on Linux and macOS', ['windows_hide']],
  ['write the file yourself, or with `nodecluster init`', ['write']],
];

/** Without effect here whatever their value. */
const WITHOUT_EFFECT = new Set(
  'vizion pmx automation io disable_trace windows_hide username kill_retry_time force write instance_id pm_id'.split(
    ' ',
  ),
);
/** Defaults of PM2 that mean what nodecluster does. */
const DEFAULTS = new Map([['autostart', true]]);

const byKey = new Map(ADVICE.flatMap(([advice, keys]) => keys.map((key) => [key, advice])));

/** Top-level sections of a file. */
const SECTIONS = new Map([
  ['deploy', 'copy releases with another tool, point a `current` link at the new one, and reload'],
  ['static', 'use `nodecluster serve <directory> <port>`'],
]);

/**
 * @param {string} flag with its dashes
 * @returns {string|undefined} a sentence
 */
export function pm2FlagAdvice(flag) {
  const key = flag.replace(/^--/, '').replaceAll('-', '_');
  const advice = flag.startsWith('--') ? byKey.get(key) : undefined;
  return advice && `${advice[0].toUpperCase()}${advice.slice(1)}.`;
}

/**
 * @param {string} key in snake_case
 */
export function pm2Advice(key) {
  return byKey.get(key);
}

/**
 * @param {string} key in snake_case, of PM2 alone
 * @param {unknown} value
 * @returns {boolean} whether the app runs the same without it
 */
export function changesNothing(key, value) {
  const isEmpty =
    typeof value === 'object'
      ? Object.keys(value ?? {}).length === 0
      : [undefined, ''].includes(/** @type {any} */ (value));
  return WITHOUT_EFFECT.has(key) || isEmpty || value === (DEFAULTS.get(key) ?? false);
}

/**
 * @param {string} key at the top of a file
 */
export function pm2SectionAdvice(key) {
  return SECTIONS.get(key);
}
