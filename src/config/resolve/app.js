/** One app's settings → its spec. Problems are reported through the values; nothing is thrown. */
import { basename, extname, resolve } from 'node:path';
import { ConfigValue } from '../file/config-value.js';
import { identifyKey } from '../options/keys.js';
import { options } from '../options/table.js';
import { appName } from '../types/values.js';
import { checkAccounts, defaultGroup } from './account.js';
import { defaultOf } from './default-spec.js';
import { checkIncrementVar, layerEnvironment } from './environment.js';
import { resolveLogFiles } from './log-files.js';
import { resolveProgram } from './program.js';

/**
 * @import { Report } from '../file/report.js'
 * @import { Spec } from '../spec.js'
 */

/**
 * @typedef {object} AppContext
 * @property {string} directory what relative paths start from
 * @property {string|null} file absolute path of the ecosystem file
 * @property {'file'|'flag'} setBy where the settings come from
 * @property {string|null} envName which env_<name> overrides env
 * @property {Record<string, string>} shellEnv
 * @property {number} cpus
 * @property {Pick<Report, 'unknownKey' | 'pm2Key' | 'warn'>} report
 *
 * @typedef {object} Settings
 * @property {Map<string, ConfigValue>} inputs by option key
 * @property {Map<string, ConfigValue>} environments env_<name> by name
 */

/**
 * @param {ConfigValue} app a map
 * @param {AppContext} context
 * @returns {{spec: Spec|null, name: string|undefined, environments: string[]}} a frozen spec; null
 *   if there was a problem
 */
export function resolveApp(app, context) {
  const problemsBefore = app.source.problems.length;
  const settings = identifyKeys(app, context.report);
  const inputOf = (/** @type {string} */ key) => settings.inputs.get(key) ?? app.child(key);
  const values = readValues(settings);
  if (!settings.inputs.has('script')) inputOf('script').reject('the path of a program');
  const env = layerEnvironment(settings, values, context);
  const searchPath = env.PATH ?? context.shellEnv.PATH ?? process.env.PATH ?? '';
  const program = resolveProgram({ values, inputOf, directory: context.directory, searchPath });
  values.name = nameOf(values, program?.script, settings, inputOf('name'));
  const logFiles = program && resolveLogFiles(values, program.cwd, inputOf);
  const spec = program && assemble(settings, values, { ...program, ...logFiles, env }, context);
  if (spec) {
    spec.gid ??= defaultGroup(spec.uid, inputOf);
    checkIncrementVar(spec, inputOf);
    checkAccounts(spec, inputOf);
    warnOfIneffective(spec, settings, context.report);
  }
  const isValid = app.source.problems.length === problemsBefore;
  const environments = [...settings.environments.keys()];
  return { spec: spec && isValid ? deepFreeze(spec) : null, name: values.name, environments };
}

/** @param {ConfigValue} app @param {AppContext['report']} report @returns {Settings} */
function identifyKeys(app, report) {
  /** @type {Settings} */
  const settings = { inputs: new Map(), environments: new Map() };
  for (const key of Object.keys(app.value)) {
    const input = app.child(key);
    const meaning = identifyKey(key);
    if ('advice' in meaning) report.pm2Key(input, meaning.advice);
    else if ('nearest' in meaning) report.unknownKey(input, meaning.nearest);
    else if (input.value === null || input.value === undefined) continue;
    else if ('environment' in meaning) settings.environments.set(meaning.environment, input);
    else if (!settings.inputs.has(meaning.option.key)) {
      settings.inputs.set(meaning.option.key, input);
    } else input.report(`${meaning.option.key} is set twice, under two names`, 'key');
  }
  return settings;
}

/**
 * @param {Settings} settings
 * @returns {Record<string, any>} by option key
 */
function readValues({ inputs }) {
  const pairs = options.map((option) => {
    const input = inputs.get(option.key);
    return [option.key, input ? option.type.read(input) : defaultOf(option)];
  });
  return Object.fromEntries(pairs);
}

/**
 * @param {Record<string, any>} values by option key
 * @param {string|undefined} program the path or command that was found
 * @param {Settings} settings
 * @param {ConfigValue} input
 * @returns {string|undefined} the given name, or one made from the script
 */
function nameOf(values, program = values.script, { inputs }, input) {
  if (inputs.has('name') || program === undefined) return values.name;
  const stem = basename(program, extname(program)).replace(/[^A-Za-z0-9._@-]/g, '-');
  return appName.read(new ConfigValue(stem.replace(/^[.-]+/, ''), input.path, input.source));
}

/**
 * @param {Settings} settings
 * @param {Record<string, any>} values by option key
 * @param {NonNullable<ReturnType<typeof resolveProgram>> & {env: Record<string, string>}} resolved
 * @param {AppContext} context
 * @returns {Spec}
 */
function assemble({ inputs }, values, resolved, { file, setBy, shellEnv, cpus }) {
  const inSpec = options.filter(({ spec }) => spec !== null);
  const given = inSpec.filter(({ key }) => inputs.has(key)).map(({ spec }) => [spec, setBy]);
  const givenEnv = Object.keys(values.env ?? {}).map((name) => [`env.${name}`, setBy]);
  const { instances, watch } = values;
  return {
    ...Object.fromEntries(inSpec.map(({ key, spec }) => [spec, values[key] ?? null])),
    ...resolved,
    // 0 means one for each core, and a negative number that many fewer.
    instances: instances > 0 ? instances : Math.max(1, cpus + instances),
    shellEnv,
    watch: Array.isArray(watch) ? watch.map((path) => resolve(resolved.cwd, path)) : watch,
    configFile: file,
    given: Object.fromEntries([...given, ...givenEnv]),
  };
}

/** @param {Spec} spec @param {Settings} settings @param {AppContext['report']} report */
function warnOfIneffective({ execMode, interpreter }, { inputs }, report) {
  if (execMode !== 'fork') return;
  const warn = (/** @type {string} */ key, /** @type {string} */ text) => {
    const input = inputs.get(key);
    if (input) report.warn(input, text);
  };
  warn('scheduling', 'has no effect in fork mode, where workers share no connections');
  warn('hang_timeout', 'has no effect in fork mode, where event loops are not watched');
  if (interpreter === null)
    warn('node_args', 'has no effect, because no interpreter runs the script');
}

/**
 * @template {object} T
 * @param {T} value plain data
 * @returns {T} the same
 */
function deepFreeze(value) {
  for (const part of Object.values(value)) if (part && typeof part === 'object') deepFreeze(part);
  return Object.freeze(value);
}
