/** An ecosystem file for what PM2 runs. */
import { isSecret } from '../secrets.js';
import { ownVariables } from './own-variables.js';
import { rotationOf } from './rotation.js';
import { settingsOf } from './settings.js';

/** @import { Pm2Process } from './list.js' */

/**
 * @typedef {object} ImportedApp
 * @property {string} name
 * @property {number[]} ids of its processes in PM2; none from a dump
 * @property {boolean} isRunning
 * @property {Record<string, unknown>} settings as a file has them
 * @property {Record<string, string>} secrets variables that are not in the settings
 *
 * @typedef {object} Imported
 * @property {ImportedApp[]} apps
 * @property {string[]} notes what was not carried over, or is different now
 */

/** Modules of PM2, by what to use instead. @type {Record<string, string>} */
const MODULES = {
  'pm2-logrotate': 'nodecluster rotates log files itself (log_rotate)',
  'pm2-server-monit': 'use `nodecluster monit` and `nodecluster metrics`',
};
const VALID_NAME = /^(?!all$|\d+$)[A-Za-z0-9_@][A-Za-z0-9._@-]{0,63}$/;

/**
 * @param {Pm2Process[]} processes
 * @param {object} context
 * @param {string|null} context.directory of the file; null: all paths are absolute
 * @param {string} context.pm2Home
 * @param {Record<string, string|undefined>} context.shellEnv its variables are left out
 * @param {boolean} context.withSecrets
 * @returns {Imported}
 */
export function ecosystemOf(processes, { directory, pm2Home, shellEnv, withSecrets }) {
  const isModule = (/** @type {Pm2Process} */ { settings }) => settings.pmx_module === true;
  const modules = processes.filter(isModule);
  const notes = modules.map(({ name }) => moduleNote(name));
  const rotation = rotationOf(modules);
  /** @type {ImportedApp[]} */
  const apps = [];
  for (const group of groupApps(processes.filter((each) => !isModule(each)))) {
    const name = freeName(
      group[0].name,
      apps.map((app) => app.name),
    );
    if (name !== group[0].name) notes.push(`${group[0].name} is called ${name} here`);
    const made = settingsOf(group, { name, directory, pm2Home });
    notes.push(...made.notes.map((note) => `${name}: ${note}`));
    const own = Object.entries(ownVariables(group[0], shellEnv));
    const isCopied = (/** @type {[string, string]} */ [key, value]) =>
      withSecrets || !isSecret(key, value);
    const env = Object.fromEntries(own.filter(isCopied));
    const settings = rotation ? { ...made.settings, log_rotate: rotation } : made.settings;
    apps.push({
      name,
      ids: group.flatMap(({ id }) => id ?? []),
      isRunning: group.some(({ isRunning }) => isRunning),
      settings: Object.keys(env).length > 0 ? { ...settings, env } : settings,
      secrets: Object.fromEntries(own.filter((each) => !isCopied(each))),
    });
  }
  return { apps, notes };
}

/** @param {string} name */
function moduleNote(name) {
  return `${name} is a module of PM2: ${Object.hasOwn(MODULES, name) ? MODULES[name] : 'nodecluster has no modules'}`;
}

/**
 * PM2 allows one name for different programs.
 * @param {Pm2Process[]} processes
 * @returns {Pm2Process[][]} in the order of their first processes
 */
function groupApps(processes) {
  /** @type {Map<string, Pm2Process[]>} */
  const groups = new Map();
  for (const process of processes) {
    const { namespace, pm_exec_path, pm_cwd, args } = process.settings;
    const key = JSON.stringify([process.name, namespace, pm_exec_path, pm_cwd, args]);
    groups.set(key, [...(groups.get(key) ?? []), process]);
  }
  return [...groups.values()];
}

/** @param {string} name @param {string[]} taken */
function freeName(name, taken) {
  const clean = name
    .replace(/[^A-Za-z0-9._@-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
    .slice(0, 60);
  const valid = VALID_NAME.test(clean) ? clean : `app-${clean}`.replace(/-$/, '');
  let free = valid;
  for (let count = 2; taken.includes(free); count += 1) free = `${valid}-${count}`;
  return free;
}
