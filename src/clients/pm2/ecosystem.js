/** An ecosystem file for what PM2 runs. */
import { groupBy } from '../../shared/groups.js';
import { OF_SESSION } from '../../shared/shell-variables.js';
import { splitSecrets } from '../../shared/secrets.js';
import { validName } from '../../api/write-ecosystem.js';
import { settingsOf } from './settings.js';

/** @import { Pm2Process } from './running-pm2.js' */

/**
 * @typedef {object} ImportedApp
 * @property {string} name
 * @property {number[]} ids of its processes in PM2; none from a dump
 * @property {boolean} isRunning
 * @property {Record<string, unknown>} settings as a file has them
 * @property {Record<string, string>} secrets variables that are not in the settings
 */

/**
 * @param {Pm2Process[]} processes
 * @param {object} context
 * @param {string|null} context.directory of the file; null: all paths are absolute
 * @param {string} context.pm2Home
 * @param {Record<string, string|undefined>} context.shellEnv its variables are left out
 * @param {boolean} [context.withSecrets]
 * @returns {{apps: ImportedApp[], notes: string[]}} notes: what was not carried over, or is different now
 */
export function ecosystemOf(processes, { directory, pm2Home, shellEnv, withSecrets = false }) {
  const isModule = (/** @type {Pm2Process} */ { settings }) => settings.pmx_module === true;
  const modules = processes.filter(isModule);
  const notes = modules.map(moduleNote);
  const split = (/** @type {Record<string, string>} */ variables) =>
    withSecrets ? { plain: variables, secrets: {} } : splitSecrets(variables);
  /** @type {ImportedApp[]} */
  const apps = [];
  // PM2 allows one name for different programs.
  const groups = groupBy(
    processes.filter((each) => !isModule(each)),
    ({ name, settings: { namespace, pm_exec_path, pm_cwd, args } }) =>
      JSON.stringify([name, namespace, pm_exec_path, pm_cwd, args]),
  );
  for (const group of groups.values()) {
    const name = freeName(group[0].name, apps);
    if (name !== group[0].name) notes.push(`${group[0].name} is called ${name} here`);
    const made = settingsOf(group, { name, directory, pm2Home });
    notes.push(...made.notes.map((note) => `${name}: ${note}`));
    const env = split(ownVariables(group[0], shellEnv));
    const { settings } = made;
    if (Object.keys(env.plain).length > 0) settings.env = env.plain;
    for (const { key, variables } of environmentsOf(group[0])) {
      const { plain, secrets } = split(variables);
      settings[key] = plain;
      const names = Object.keys(secrets).join(', ');
      if (names) notes.push(`${name}: secrets of ${key} were not carried over: ${names}`);
    }
    apps.push({
      name,
      ids: group.flatMap(({ id }) => id ?? []),
      isRunning: group.some(({ isRunning }) => isRunning),
      settings,
      secrets: env.secrets,
    });
  }
  return { apps, notes };
}

/** @param {Pm2Process} module */
function moduleNote({ name }) {
  const own = 'nodecluster rotates log files itself (log_rotate)';
  const isOfLogs = name === 'pm2-logrotate';
  return `${name} is a module of PM2: ${isOfLogs ? own : 'nodecluster has no modules'}`;
}

/** @param {string} name @param {ImportedApp[]} apps that have theirs */
function freeName(name, apps) {
  const valid = validName(name.slice(0, 60)) ?? 'app';
  let free = valid;
  const isTaken = () => apps.some((app) => app.name === free);
  for (let count = 2; isTaken(); count += 1) free = `${valid}-${count}`;
  return free;
}

/** Not a key of ours. */
const ENVIRONMENT = /^env_(?!file$|from$)\w+$/;
const FIRST_OF_FILE = 'PM2_USAGE';
const LAST_OF_FILE = 'unique_id';
const OF_PM2 = /^(PM2_.*|pm_.*|unique_id|NODE_CHANNEL_.*|NODE_UNIQUE_ID)$/;
/**
 * The variables that a user set for an app. PM2 keeps them in one map with the environment of the shell
 * that started the app: the shell's first, then one of its own (PM2_USAGE), then those of the ecosystem
 * file, then unique_id. A variable that both have keeps the place of the shell's.
 * @param {Pick<Pm2Process, 'name'|'env'|'settings'>} process
 * @param {Record<string, string|undefined>} shellEnv of the shell that imports: what it has with the same value
 *   is there when the app starts
 */
export function ownVariables({ name, env, settings }, shellEnv) {
  const names = Object.keys(env);
  const first = names.indexOf(FIRST_OF_FILE);
  const last = names.indexOf(LAST_OF_FILE);
  const isOfFile = (/** @type {number} */ at) =>
    first !== -1 && at > first && (last === -1 || at < last);
  const isOfPm2 = (/** @type {string} */ each) =>
    // PM2 adds the configuration of a module, under the name of every app, and that name.
    [name, settings.instance_var].includes(each) ||
    OF_PM2.test(each) ||
    (each === 'name' && env.name === name);
  const own = names.filter((each, at) => {
    if (isOfPm2(each) || env[each] === null || env[each] === undefined) return false;
    return isOfFile(at) || (!OF_SESSION.test(each) && asText(env[each]) !== shellEnv[each]);
  });
  return Object.fromEntries(own.map((each) => [each, asText(env[each])]));
}

/** What `--env <name>` adds. @param {Pm2Process} process */
function environmentsOf({ settings }) {
  return Object.entries(settings).flatMap(([key, variables]) => {
    if (!ENVIRONMENT.test(key) || typeof variables !== 'object' || variables === null) return [];
    const texts = Object.entries(variables).map(([name, value]) => [name, asText(value)]);
    return [{ key, variables: Object.fromEntries(texts) }];
  });
}

/** @param {unknown} value */
function asText(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
