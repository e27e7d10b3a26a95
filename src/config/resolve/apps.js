/** An ecosystem file → the specs of its apps, or all that is wrong with it at once. */
import os from 'node:os';
import { NodeclusterError } from '../../errors/error.js';
import { nearest } from '../nearest.js';
import { options } from '../options/table.js';
import { pathText, Place } from '../file/position.js';
import { pm2SectionAdvice } from '../pm2.js';
import { newReport } from '../file/report.js';
import { resolveApp } from './app.js';

/**
 * @import { Problem } from '../../errors/codes/config.js'
 * @import { ConfigDocument } from '../file/load.js'
 * @import { Report } from '../file/report.js'
 * @import { Spec } from '../spec.js'
 */

/**
 * @param {object} wanted
 * @param {ConfigDocument} wanted.document from loadFile
 * @param {string|null} [wanted.envName] selects env_<name>
 * @param {string[]|null} [wanted.only] names of apps; null: all
 * @param {Record<string, string|undefined>} wanted.shellEnv
 * @param {string} [wanted.baseDir] what relative paths start from, if not the file's folder
 * @param {boolean} [wanted.lenient] unknown keys are warnings
 * @param {number} [wanted.cpus] what `instances: max` means
 * @returns {{specs: Spec[], warnings: string[]}}
 * @throws {NodeclusterError} E_CONFIG_INVALID, E_CONFIG_ENV_UNKNOWN, E_CONFIG_APP_UNKNOWN
 */
export function resolveApps(wanted) {
  const { document, envName = null, only = null, lenient = false } = wanted;
  const report = newReport(document, lenient);
  const context = {
    folder: wanted.baseDir ?? document.folder,
    file: document.file,
    source: /** @type {const} */ ('file'),
    envName,
    shellEnv: definedOnly(wanted.shellEnv),
    cpus: wanted.cpus ?? os.availableParallelism(),
    ...report,
  };
  const places = appPlaces(new Place(document.value, [], report.origin), report);
  const apps = places.map((place) => ({ place, ...resolveApp(place, context) }));
  refuseSameNames(apps);
  if (report.origin.problems.length > 0) {
    const problems = report.origin.problems.sort(byPosition);
    throw new NodeclusterError('E_CONFIG_INVALID', { file: document.source, problems });
  }
  const chosen = chooseApps(apps, only, document.source);
  if (envName !== null && chosen.length > 0) checkEnvironment(chosen, envName, document.source);
  const specs = chosen.map(({ spec }) => freeze(/** @type {Spec} */ (spec)));
  const left = apps.filter((app) => !chosen.includes(app)).map(({ place }) => place);
  return { specs, warnings: report.warnings(left) };
}

/**
 * @param {Problem} a
 * @param {Problem} b
 */
function byPosition(a, b) {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/**
 * @param {Record<string, string|undefined>} env
 * @returns {Record<string, string>}
 */
export function definedOnly(env) {
  const pairs = Object.entries(env).filter(([, value]) => value !== undefined);
  return /** @type {Record<string, string>} */ (Object.fromEntries(pairs));
}

/**
 * @template {object} T
 * @param {T} value plain data
 * @returns {T} the same, frozen all through
 */
export function freeze(value) {
  for (const part of Object.values(value)) if (part && typeof part === 'object') freeze(part);
  return Object.freeze(value);
}

/**
 * The apps of `apps:` (a list or a single one), of a bare list, or the file as a single app.
 * @param {Place} root
 * @param {Report} report
 * @returns {Place[]}
 */
function appPlaces(root, report) {
  const holder = isMap(root.value) ? sectionOfApps(root, report) : root;
  if (isMap(holder.value)) return [holder];
  if (!Array.isArray(holder.value) || holder.value.length === 0) {
    holder.refuse('a list of apps');
    return [];
  }
  const places = holder.value.map((_, index) => holder.child(index));
  for (const place of places) if (!isMap(place.value)) place.refuse('an app (a map of options)');
  return places.filter(({ value }) => isMap(value));
}

/**
 * @param {Place} root one that holds a map
 * @param {Report} report
 * @returns {Place}
 */
function sectionOfApps(root, { onForeignKey, onUnknownKey }) {
  const keys = Object.keys(root.value);
  const section = keys.find((key) => key === 'apps' || key === 'pm2');
  const isSingleApp = !section && !nearApps(keys);
  if (isSingleApp) return withoutAsides(root);
  for (const key of keys) {
    const advice = pm2SectionAdvice(key);
    if (advice) onForeignKey(root.child(key), advice);
    else if (key !== section && !isAside(key)) {
      onUnknownKey(root.child(key), nearest(key, ['apps', 'deploy', 'static']));
    }
  }
  return root.child(section ?? 'apps');
}

/**
 * @param {string} key at the top of a file
 * @returns {boolean} whether it is for editors, or for anchors of YAML
 */
function isAside(key) {
  return key === '$schema' || key.startsWith('x-');
}

/** @param {Place} root of a file that is a single app */
function withoutAsides({ value, path, origin }) {
  const own = Object.entries(value).filter(([key]) => !isAside(key));
  return new Place(Object.fromEntries(own), path, origin);
}

/**
 * `app:` or `appps:` with no option of an app beside it is a slip for `apps:`.
 * @param {string[]} keys
 */
function nearApps(keys) {
  const known = new Set(options.flatMap(({ key, aliases = [] }) => [key, ...aliases]));
  return !keys.some((key) => known.has(key)) && keys.some((key) => nearest(key, ['apps']));
}

/** @param {unknown} value */
function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {{place: Place, name: string|undefined}[]} apps */
function refuseSameNames(apps) {
  apps.forEach(({ place, name }, index) => {
    const first = apps.findIndex((app) => app.name === name);
    if (name === undefined || first === index) return;
    const at = place.child('name');
    at.report(`expected another name, got "${name}" again (${pathText(apps[first].place.path)})`);
  });
}

/**
 * @template {{name: string|undefined}} App
 * @param {App[]} apps
 * @param {string[]|null} only
 * @param {string} file
 * @returns {App[]}
 */
function chooseApps(apps, only, file) {
  if (only === null) return apps;
  const known = apps.map(({ name }) => name);
  const names = only.filter((name) => !known.includes(name));
  if (names.length > 0) throw new NodeclusterError('E_CONFIG_APP_UNKNOWN', { file, names, known });
  return apps.filter(({ name }) => only.includes(/** @type {string} */ (name)));
}

/**
 * @param {{environments: string[]}[]} apps
 * @param {string} name
 * @param {string} file
 */
function checkEnvironment(apps, name, file) {
  const known = [...new Set(apps.flatMap(({ environments }) => environments))];
  if (known.includes(name)) return;
  throw new NodeclusterError('E_CONFIG_ENV_UNKNOWN', { file, name, known });
}
