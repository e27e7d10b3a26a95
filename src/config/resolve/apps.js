/** An ecosystem file → the specs of its apps, or all of its problems at once. */
import { basename } from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { isObject } from '../../shared/checks.js';
import { ConfigSource, ConfigValue, formatPath } from '../file/config-value.js';
import { nearest } from '../spelling.js';
import { pm2Sections } from '../options/pm2-names.js';
import { resolveApp, warnOfPm2Key } from './app.js';
import { giveDistinctNames } from './names.js';
import { definedOnly } from './environment.js';

/**
 * @import { Problem } from '../../errors/codes/bad-file.js'
 * @import { ConfigDocument } from '../file/load.js'
 * @import { Spec } from '../spec.js'
 * @import { AppContext } from './app.js'
 *
 * @typedef {ReturnType<typeof resolveApp> & {input: ConfigValue, problems: Problem[], warnings: string[]}} App of a file
 */

/**
 * @param {object} request
 * @param {ConfigDocument} request.document from loadFile
 * @param {string|null} [request.envName] selects env_<name>
 * @param {readonly string[]|null} [request.only] names of apps; null: all
 * @param {Record<string, string|undefined>} request.shellEnv
 * @param {boolean} [request.lenient] unknown keys are warnings
 * @param {boolean} [request.runsElsewhere] what this user may do here does not matter
 * @throws {NodeclusterError} E_CONFIG_INVALID, E_CONFIG_ENV_UNKNOWN, E_CONFIG_APP_UNKNOWN
 */
export function resolveApps({ document, envName = null, only = null, lenient = false, ...shell }) {
  const { label, file, directory } = document;
  const source = new ConfigSource({ ...document, isLenient: lenient });
  /** @type {AppContext} */
  const context = {
    directory,
    file,
    setBy: 'file',
    envName,
    shellEnv: definedOnly(shell.shellEnv),
    runsElsewhere: shell.runsElsewhere,
  };
  const { problems, warnings } = source;
  const inputs = listApps(findHolder(new ConfigValue(document.value, [], source), document));
  const resolved = inputs.map((input) => {
    const [known, said] = [problems.length, warnings.length];
    const app = resolveApp(input, context);
    return { input, ...app, problems: problems.splice(known), warnings: warnings.splice(said) };
  });
  const apps = giveDistinctNames(resolved, directory);
  rejectSameNames(apps.filter(({ isNamed }) => isNamed));
  checkDependencies(apps);
  const requested = only === null || problems.length > 0 ? apps : pickApps(apps, only, label);
  problems.push(...requested.flatMap((app) => app.problems));
  if (problems.length > 0) {
    problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    throw new NodeclusterError('E_CONFIG_INVALID', { file: label, problems });
  }
  const specs = requested.map(({ spec }) => /** @type {Spec} */ (spec));
  warnings.push(...requested.flatMap((app) => app.warnings));
  if (envName !== null && requested.length > 0)
    warnings.push(...checkEnvironment(apps, envName, label));
  return { specs, warnings };
}

/**
 * `apps:`, a bare list, or the file as a single app. PM2 reads apps from a section of package.json.
 * @param {ConfigValue} root
 * @param {ConfigDocument} document
 */
function findHolder(root, { file, label }) {
  if (!isObject(root.value)) return root;
  if (file === null || basename(file) !== 'package.json') return findSection(root);
  const section = ['apps', 'pm2'].map((key) => root.child(key)).find(({ value }) => value);
  if (section) return section;
  throw new NodeclusterError('E_CONFIG_PACKAGE', { file: label });
}

/** @param {ConfigValue} holder */
function listApps(holder) {
  if (isObject(holder.value)) return [holder];
  if (!Array.isArray(holder.value) || holder.value.length === 0) {
    holder.reject('a list of apps');
    return [];
  }
  const inputs = holder.value.map((_, index) => holder.child(index));
  for (const input of inputs) if (!isObject(input.value)) input.reject('an app (a map of options)');
  return inputs.filter(({ value }) => isObject(value));
}

/** @param {ConfigValue} root a map */
function findSection(root) {
  const keys = Object.keys(root.value);
  const isSlip = (/** @type {string} */ key) =>
    nearest(key, ['apps']) !== null && Array.isArray(root.value[key]);
  const named = keys.find((key) => key === 'apps' || key === 'pm2');
  const section = named ?? keys.find(isSlip);
  if (!section) {
    const own = Object.entries(root.value).filter(([key]) => !isExtension(key));
    return new ConfigValue(Object.fromEntries(own), root.path, root.source);
  }
  for (const key of keys) {
    const advice = pm2Sections.get(key);
    if (advice) warnOfPm2Key(root.child(key), advice);
    else if (key !== section && !isExtension(key)) {
      root.source.unknownKey(root.child(key), nearest(key, ['apps', 'deploy', 'static']));
    }
  }
  const apps = root.child(section);
  if (!named) apps.report('unknown key; did you mean apps?', 'key');
  return apps;
}

/** For editors, and for YAML anchors. @param {string} key at the top of a file */
function isExtension(key) {
  return key === '$schema' || key.startsWith('x-');
}

/** @param {App[]} apps */
function rejectSameNames(apps) {
  apps.forEach(({ input, name, problems }, index) => {
    const first = apps.findIndex((app) => app.name === name);
    if (name === undefined || first === index) return;
    const firstPath = formatPath(apps[first].input.path);
    const text = `the name "${name}" is already used by ${firstPath}`;
    problems.push(input.child('name').problem(text, 'value'));
  });
}

/** @param {App[]} apps @param {readonly string[]} only @param {string} file */
function pickApps(apps, only, file) {
  const known = apps.flatMap(({ name }) => name ?? []);
  const names = only.filter((name) => !known.includes(name));
  if (names.length > 0) throw new NodeclusterError('E_CONFIG_APP_UNKNOWN', { file, names, known });
  return apps.filter(({ name }) => only.includes(name));
}

/** @param {App[]} apps @param {string} name @param {string} file */
function checkEnvironment(apps, name, file) {
  // Scripts that deploy name one for every file, also for one that has none.
  const known = [...new Set(apps.flatMap(({ environments }) => environments))];
  if (known.length === 0) return [`--env ${name} sets nothing: no app in ${file} has env_${name}`];
  if (known.includes(name)) return [];
  throw new NodeclusterError('E_CONFIG_ENV_UNKNOWN', { file, name, known });
}

/** Must be in the same file, form no circle, and exit if they are waited for to do so. @param {App[]} apps */
function checkDependencies(apps) {
  const named = apps.filter(({ name }) => name !== undefined);
  const known = new Map(named.map((app) => [String(app.name), app]));
  for (const app of apps) {
    for (const [name, condition] of Object.entries(app.dependsOn)) {
      const dependency = known.get(name);
      if (dependency) rejectEndless(app, name, condition, dependency.spec);
      // An app whose errors leave it without a name may be the one that is meant.
      else if (named.length === apps.length) {
        const guess = nearest(name, known.keys());
        const hint = guess ? `; did you mean ${guess}?` : '';
        reject(app, name, `no app in this file is called "${name}"${hint}`);
      }
    }
  }
  rejectCircles(apps, known);
}

/** Where the file names that dependency. @param {App} app @param {string} name @param {string} text */
function reject({ inputOf, problems }, name, text) {
  const input = inputOf('depends_on');
  const { value } = input;
  const index = Array.isArray(value) ? value.findIndex((each) => String(each) === name) : -1;
  if (index !== -1) problems.push(input.child(index).problem(text, 'value'));
  else if (isObject(value)) problems.push(input.child(name).problem(text, 'key'));
  else problems.push(input.problem(text, 'value'));
}

/** @param {App} app @param {string} name @param {unknown} condition @param {Spec | null} spec null: it has errors */
function rejectEndless(app, name, condition, spec) {
  if (spec?.onDemand) reject(app, name, `${name} runs at its own times, so no app can wait for it`);
  if (condition !== 'exited' || spec === null) return;
  if (!spec.autorestart || spec.stopExitCodes.includes(0)) return;
  const settings = 'autorestart: false or stop_exit_codes: [0]';
  reject(app, name, `${name} is started again whenever it exits; give it ${settings}`);
}

/** @param {App[]} apps @param {Map<string, App>} known */
function rejectCircles(apps, known) {
  const visited = new Set();
  const visit = (/** @type {App} */ app, /** @type {App[]} */ path) => {
    const start = path.indexOf(app);
    if (start !== -1) {
      const names = [...path.slice(start), app].map(({ name }) => name).join(' → ');
      reject(path[path.length - 1], `${app.name}`, `the dependencies form a circle: ${names}`);
    }
    if (visited.has(app)) return;
    visited.add(app);
    const dependencies = Object.keys(app.dependsOn).flatMap((name) => known.get(name) ?? []);
    for (const dependency of dependencies) visit(dependency, [...path, app]);
  };
  for (const app of apps) visit(app, []);
}
