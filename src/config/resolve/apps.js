/** An ecosystem file → the specs of its apps, or all of its problems at once. */
import os from 'node:os';
import { NodeclusterError } from '../../errors/error.js';
import { ConfigValue, formatPath } from '../file/config-value.js';
import { Report } from '../file/report.js';
import { nearest } from '../nearest.js';
import { options } from '../options/table.js';
import { pm2SectionAdvice } from '../pm2.js';
import { resolveApp } from './app.js';
import { definedOnly } from './environment.js';

/**
 * @import { Problem } from '../../errors/codes/config.js'
 * @import { ConfigDocument } from '../file/document.js'
 * @import { Spec } from '../spec.js'
 * @import { AppContext } from './app.js'
 */

/**
 * @param {object} request
 * @param {ConfigDocument} request.document from loadFile
 * @param {string|null} [request.envName] selects env_<name>
 * @param {readonly string[]|null} [request.only] names of apps; null: all
 * @param {Record<string, string|undefined>} request.shellEnv
 * @param {boolean} [request.lenient] unknown keys are warnings
 * @param {number} [request.cpus] what `instances: max` means
 * @returns {{specs: Spec[], warnings: string[]}}
 * @throws {NodeclusterError} E_CONFIG_INVALID, E_CONFIG_ENV_UNKNOWN, E_CONFIG_APP_UNKNOWN
 */
export function resolveApps({ document, envName = null, only = null, lenient = false, ...shell }) {
  const { label, file, directory } = document;
  const report = new Report(document, lenient);
  /** @type {AppContext} */
  const context = {
    directory,
    file,
    setBy: 'file',
    envName,
    shellEnv: definedOnly(shell.shellEnv),
    cpus: shell.cpus ?? os.availableParallelism(),
    report,
  };
  const inputs = findApps(new ConfigValue(document.value, [], report.source), report);
  const apps = inputs.map((input) => ({ input, ...resolveApp(input, context) }));
  rejectSameNames(apps);
  const { problems } = report.source;
  if (problems.length > 0) {
    throw new NodeclusterError('E_CONFIG_INVALID', {
      file: label,
      problems: problems.sort(byPosition),
    });
  }
  const requested = only === null ? apps : pickApps(apps, only, label);
  if (envName !== null && requested.length > 0) checkEnvironment(requested, envName, label);
  const specs = requested.map(({ spec }) => /** @type {Spec} */ (spec));
  const ignored = apps.filter((app) => !requested.includes(app)).map(({ input }) => input);
  return { specs, warnings: report.warnings(ignored) };
}

/**
 * The apps of `apps:` (a list or a single one), of a bare list, or the file as a single app.
 * @param {ConfigValue} root
 * @param {Report} report
 * @returns {ConfigValue[]}
 */
function findApps(root, report) {
  const holder = isMap(root.value) ? findSection(root, report) : root;
  if (isMap(holder.value)) return [holder];
  if (!Array.isArray(holder.value) || holder.value.length === 0) {
    holder.reject('a list of apps');
    return [];
  }
  const inputs = holder.value.map((_, index) => holder.child(index));
  for (const input of inputs) if (!isMap(input.value)) input.reject('an app (a map of options)');
  return inputs.filter(({ value }) => isMap(value));
}

/**
 * @param {ConfigValue} root a map
 * @param {Report} report
 * @returns {ConfigValue} the section with the apps
 */
function findSection(root, report) {
  const keys = Object.keys(root.value);
  const section = keys.find((key) => key === 'apps' || key === 'pm2');
  if (!section && !misspellsApps(keys)) return withoutExtensions(root);
  for (const key of keys) {
    const advice = pm2SectionAdvice(key);
    if (advice) report.pm2Key(root.child(key), advice);
    else if (key !== section && !isExtension(key)) {
      report.unknownKey(root.child(key), nearest(key, ['apps', 'deploy', 'static']));
    }
  }
  return root.child(section ?? 'apps');
}

/**
 * `app:` or `appps:` with no option of an app beside it.
 * @param {string[]} keys
 */
function misspellsApps(keys) {
  const known = new Set(options.flatMap(({ key, aliases = [] }) => [key, ...aliases]));
  return !keys.some((key) => known.has(key)) && keys.some((key) => nearest(key, ['apps']));
}

/** @param {ConfigValue} root of a file that is a single app */
function withoutExtensions({ value, path, source }) {
  const pairs = Object.entries(value).filter(([key]) => !isExtension(key));
  return new ConfigValue(Object.fromEntries(pairs), path, source);
}

/**
 * @param {string} key at the top of a file
 * @returns {boolean} whether it is for editors or for YAML anchors
 */
function isExtension(key) {
  return key === '$schema' || key.startsWith('x-');
}

/** @param {unknown} value */
function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {{input: ConfigValue, name: string|undefined}[]} apps */
function rejectSameNames(apps) {
  apps.forEach(({ input, name }, index) => {
    const first = apps.findIndex((app) => app.name === name);
    if (name === undefined || first === index) return;
    const firstPath = formatPath(apps[first].input.path);
    input.child('name').report(`the name "${name}" is already used by ${firstPath}`);
  });
}

/** @param {Problem} a @param {Problem} b */
function byPosition(a, b) {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/**
 * @template {{name: string|undefined}} App
 * @param {App[]} apps
 * @param {readonly string[]} only
 * @param {string} file
 * @returns {App[]}
 */
function pickApps(apps, only, file) {
  const known = apps.map(({ name }) => name);
  const names = only.filter((name) => !known.includes(name));
  if (names.length > 0) throw new NodeclusterError('E_CONFIG_APP_UNKNOWN', { file, names, known });
  return apps.filter(({ name }) => only.includes(/** @type {string} */ (name)));
}

/** @param {{environments: string[]}[]} apps @param {string} name @param {string} file */
function checkEnvironment(apps, name, file) {
  const known = [...new Set(apps.flatMap(({ environments }) => environments))];
  if (known.includes(name)) return;
  throw new NodeclusterError('E_CONFIG_ENV_UNKNOWN', { file, name, known });
}
