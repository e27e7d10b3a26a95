/** One app's settings → its spec. Every fault is left with the places; nothing is thrown. */
import { basename, extname, resolve } from 'node:path';
import { primaryGroup } from './account.js';
import { defaultOf } from './default-spec.js';
import { variables } from '../types/lists.js';
import { loadEnvFile } from '../file/load-env-file.js';
import { resolveLogFiles } from './log-files.js';
import { identifyKey } from '../options/keys.js';
import { options } from '../options/table.js';
import { Place } from '../file/position.js';
import { resolveProgram } from './program.js';
import { appName } from '../types/values.js';

/** @import { Spec } from '../spec.js' */

/**
 * @typedef {object} AppContext
 * @property {string} folder what relative paths start from
 * @property {string|null} file absolute path of the ecosystem file
 * @property {'file'|'flag'} source where settings are from
 * @property {string|null} envName which env_<name> goes over env
 * @property {Record<string, string>} shellEnv
 * @property {number} cpus
 * @property {(place: Place, nearest: string|null) => void} onUnknownKey
 * @property {(place: Place, advice: string) => void} onForeignKey a key that only PM2 has
 * @property {(place: Place, text: string) => void} onUseless
 */
/**
 * @typedef {object} Settings
 * @property {Map<string, Place>} places by option key
 * @property {Map<string, Place>} environments env_<name> by name
 */

/**
 * @param {Place} place of the app's map
 * @param {AppContext} context
 * @returns {{spec: Spec|null, name: string|undefined, environments: string[]}} no spec after a
 *   refusal
 */
export function resolveApp(place, context) {
  const before = place.origin.problems.length;
  const settings = sortKeys(place, context);
  const placeOf = (/** @type {string} */ key) => settings.places.get(key) ?? place.child(key);
  const values = readValues(settings);
  if (!settings.places.has('script')) placeOf('script').refuse('the path of a program');
  if (!settings.places.has('name')) values.name = readDefaultName(values.script, placeOf('name'));
  const env = layerEnv(settings, values, context);
  const searchPath = env.PATH ?? context.shellEnv.PATH ?? process.env.PATH ?? '';
  const program = resolveProgram({ values, placeOf, folder: context.folder, searchPath });
  const logFiles = program && resolveLogFiles(values, program.cwd, placeOf);
  const spec =
    program && assemble({ settings, values, program: { ...program, ...logFiles }, env, context });
  if (spec) {
    spec.gid ??= groupOf(spec.uid, placeOf);
    checkTogether(spec, placeOf, settings, context);
    checkAccounts(spec, placeOf);
  }
  const sound = place.origin.problems.length === before;
  const environments = [...settings.environments.keys()];
  return { spec: sound ? spec : null, name: values.name, environments };
}

/**
 * @param {Place} place
 * @param {AppContext} context
 * @returns {Settings}
 */
function sortKeys(place, { onUnknownKey, onForeignKey }) {
  /** @type {Settings} */
  const settings = { places: new Map(), environments: new Map() };
  for (const key of Object.keys(place.value)) {
    const child = place.child(key);
    const meant = identifyKey(key);
    if ('advice' in meant) onForeignKey(child, meant.advice);
    else if ('nearest' in meant) onUnknownKey(child, meant.nearest);
    else if (child.value === null || child.value === undefined) continue;
    else if ('environment' in meant) settings.environments.set(meant.environment, child);
    else if (!settings.places.has(meant.option.key)) settings.places.set(meant.option.key, child);
    else child.report(`expected ${meant.option.key} once, got it under two names`, 'key');
  }
  return settings;
}

/**
 * @param {Settings} settings
 * @returns {Record<string, any>} by option key
 */
function readValues({ places }) {
  const pairs = options.map((option) => {
    const place = places.get(option.key);
    return [option.key, place ? option.type.read(place) : defaultOf(option)];
  });
  return Object.fromEntries(pairs);
}

/**
 * @param {Settings} settings
 * @param {Record<string, any>} values
 * @param {AppContext} context
 * @returns {Record<string, string>} env files, over them env, over it env_<name>
 */
function layerEnv({ places, environments }, values, { folder, envName }) {
  const files = (values.env_file ?? []).map((/** @type {string|undefined} */ file) => {
    const loaded = file === undefined ? { values: {} } : loadEnvFile(resolve(folder, file));
    if ('values' in loaded) return loaded.values;
    return places.get('env_file')?.refuse('files that can be read', loaded.fault);
  });
  const named = [...environments].map(([name, place]) => [name, variables.read(place)]);
  const chosen = named.find(([name]) => name === envName)?.[1];
  return Object.assign({}, ...files, values.env, chosen);
}

/**
 * @param {{settings: Settings, values: Record<string, any>,
 *   program: NonNullable<ReturnType<typeof resolveProgram>>, env: Record<string, string>,
 *   context: AppContext}} parts
 * @returns {Spec}
 */
function assemble({ settings, values, program, env, context }) {
  const plain = options
    .filter(({ spec }) => spec !== null)
    .map(({ key, spec }) => [spec, values[key] ?? null]);
  const given = options
    .filter(({ key, spec }) => spec !== null && settings.places.has(key))
    .map(({ spec }) => [spec, context.source]);
  const ofEnv = Object.keys(values.env ?? {}).map((name) => [`env.${name}`, context.source]);
  return {
    ...Object.fromEntries(plain),
    ...program,
    instances: countInstances(values.instances, context.cpus),
    env,
    shellEnv: context.shellEnv,
    watch: watchedPaths(values.watch, program.cwd),
    configFile: context.file,
    given: Object.fromEntries([...given, ...ofEnv]),
  };
}

/**
 * @param {number} wanted 0: as many as cores; negative: so many fewer
 * @param {number} cpus
 */
function countInstances(wanted, cpus) {
  return wanted > 0 ? wanted : Math.max(1, cpus + wanted);
}

/**
 * @param {boolean|string[]} wanted
 * @param {string} cwd
 */
function watchedPaths(wanted, cwd) {
  return Array.isArray(wanted) ? wanted.map((path) => resolve(cwd, path)) : wanted;
}

/**
 * @param {string|undefined} script
 * @param {Place} place
 * @returns {string|undefined}
 */
function readDefaultName(script, place) {
  if (script === undefined) return undefined;
  const stem = basename(script, extname(script)).replace(/[^A-Za-z0-9._@-]/g, '-');
  return appName.read(new Place(stem.replace(/^[.-]+/, ''), place.path, place.origin));
}

/**
 * What single values cannot show.
 * @param {Spec} spec
 * @param {(key: string) => Place} placeOf
 * @param {Settings} settings
 * @param {AppContext} context
 */
function checkTogether(spec, placeOf, { places }, { onUseless }) {
  const { incrementVar, env, shellEnv } = spec;
  const first = incrementVar ? { ...shellEnv, ...env }[incrementVar] : '0';
  if (!/^\d+$/.test(first ?? '')) {
    const found = first === undefined ? 'it is not set' : `it is ${JSON.stringify(first)}`;
    placeOf('increment_var').refuse('a variable that env sets to a whole number', found);
  }
  if (spec.execMode === 'fork' && places.has('scheduling')) {
    onUseless(placeOf('scheduling'), 'has no effect in fork mode, where nothing is shared');
  }
  if (spec.execMode === 'fork' && places.has('hang_timeout')) {
    onUseless(placeOf('hang_timeout'), 'has no effect in fork mode, where no event loop is known');
  }
  if (spec.execMode === 'fork' && spec.interpreter === null && places.has('node_args')) {
    onUseless(placeOf('node_args'), 'has no effect, since nothing interprets the script');
  }
}

/**
 * Without it a program of another user would keep the group of root.
 * @param {number|null} uid
 * @param {(key: string) => Place} placeOf
 */
function groupOf(uid, placeOf) {
  if (uid === null || process.getuid?.() !== 0) return null;
  const group = primaryGroup(uid);
  if (group === null) placeOf('uid').refuse('a user of this machine, or a gid beside it');
  return group;
}

/**
 * The system lets only root start processes of other accounts.
 * @param {Spec} spec
 * @param {(key: string) => Place} placeOf
 */
function checkAccounts({ uid, gid }, placeOf) {
  const own = process.getuid?.();
  if (own === 0) return;
  if (uid !== null && uid !== own) placeOf('uid').refuse('your own account', 'you are not root');
  if (gid !== null && gid !== process.getgid?.()) {
    placeOf('gid').refuse('your own group', 'you are not root');
  }
}
