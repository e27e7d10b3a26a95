/** One app's settings → its spec. Problems are reported through the values; nothing is thrown. */
import { defaultOf, identifyKey, options, specOptions } from '../options/table.js';
import { changesNothing } from '../options/pm2-names.js';
import { featureOptions } from '../../features/options.js';
import { layerEnvironment, shellEnvFor } from './environment.js';
import { resolveName } from './names.js';
import { resolveProgram } from './program.js';
import { STEPS } from './steps.js';

/**
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { Spec } from '../spec.js'
 */

/**
 * @typedef {object} AppContext
 * @property {string} directory what relative paths start from
 * @property {string|null} file absolute path of the ecosystem file
 * @property {'file'|'flag'} setBy where the settings come from
 * @property {string|null} envName which env_<name> overrides env
 * @property {Record<string, string>} shellEnv
 * @property {boolean} [runsElsewhere] what this user may do here does not matter
 *
 * @typedef {object} Settings
 * @property {Map<string, ConfigValue>} inputs by option key
 * @property {Map<string, ConfigValue>} environments env_<name> by name
 * @property {Record<string, any>} values by option key; undefined where rejected
 * @property {(key: string) => ConfigValue} inputOf also for an option that is not set
 */

/**
 * `isNamed`: by its settings; `dependsOn`: conditions by name.
 * @param {ConfigValue} app a map @param {AppContext} context @returns spec: null if there was a problem
 */
export function resolveApp(app, context) {
  const problemsBefore = app.source.problems.length;
  const settings = readSettings(app, context);
  const { inputs, environments, values, inputOf } = settings;
  const found = app.source.problems.slice(problemsBefore);
  const isMisspelt = found.some(({ meant }) => meant === 'script');
  if (!inputs.has('script') && !isMisspelt) inputOf('script').reject('the path of a program');
  const { directory, shellEnv } = context;
  const ownEnv = layerEnvironment(settings, context);
  const searchPath = ownEnv.PATH ?? shellEnv.PATH ?? process.env.PATH ?? '';
  const resolved = resolveProgram({ values, inputOf, directory, searchPath });
  const name = resolveName(resolved && resolved.program, settings, directory);
  values.name = name;
  const spec = resolved && makeSpec(resolved, ownEnv, settings, context);
  const isValid = app.source.problems.length === problemsBefore;
  return {
    spec: isValid ? spec : null,
    name,
    isNamed: inputs.has('name'),
    environments: [...environments.keys()],
    inputOf,
    dependsOn: values.depends_on ?? {},
  };
}

/** @param {ConfigValue} app @param {AppContext} context */
function readSettings(app, { envName }) {
  /** @type {Settings} */
  const settings = {
    inputs: new Map(),
    environments: new Map(),
    values: {},
    inputOf: (key) => settings.inputs.get(key) ?? app.child(key),
  };
  for (const key of Object.keys(app.value)) {
    const input = app.child(key);
    const meaning = identifyKey(key);
    if ('pm2' in meaning) {
      const { advice, isNeededByEnv } = meaning.pm2;
      if (!advice || changesNothing(meaning.pm2, input.value)) continue;
      if (!isNeededByEnv || envName === null) warnOfPm2Key(input, advice);
      else
        input.report(
          `only PM2 has it, so --env ${envName} would change the app of the plain name: ${advice}`,
          'key',
        );
    } else if ('nearest' in meaning) app.source.unknownKey(input, meaning.nearest);
    else if (input.value === null || input.value === undefined) continue;
    else if ('environment' in meaning) settings.environments.set(meaning.environment, input);
    else addSetting(settings, meaning.option.key, input);
  }
  settings.values = readValues(settings);
  return settings;
}

/** @param {ConfigValue} input with a key that only PM2 has @param {string} advice */
export function warnOfPm2Key(input, advice) {
  input.warn(`ignored, because only PM2 knows ${input.path.at(-1)}: ${advice}`);
}

/** @param {Settings} settings @param {string} key @param {ConfigValue} input */
function addSetting({ inputs }, key, input) {
  const first = inputs.get(key);
  if (!first) inputs.set(key, input);
  else if (JSON.stringify(first.value) !== JSON.stringify(input.value)) {
    input.report(`${key} is set twice, under two names and with two values`, 'key');
  }
}

/** @param {Settings} settings @returns {Record<string, any>} by option key */
function readValues({ inputs }) {
  const pairs = options.map((option) => {
    const input = inputs.get(option.key);
    return [option.key, input ? option.type.read(input) : defaultOf(option)];
  });
  const values = Object.fromEntries(pairs);
  const ofServices = options.filter(({ isOfService }) => isOfService).map(({ key }) => key);
  for (const { settle } of featureOptions) settle?.(values, inputs, ofServices);
  return values;
}

/**
 * @param {NonNullable<ReturnType<typeof resolveProgram>>} resolved @param {Record<string, string>} ownEnv
 * @param {Settings} settings @param {AppContext} context
 */
function makeSpec({ program, env }, ownEnv, settings, context) {
  const { inputs, values } = settings;
  const { file, setBy, shellEnv } = context;
  const given = specOptions.filter(({ key }) => inputs.has(key)).map(({ spec }) => [spec, setBy]);
  const givenEnv = Object.keys(values.env ?? {}).map((name) => [`env.${name}`, setBy]);
  const fromOptions = specOptions.map(({ key, spec, inDirectory = (value) => value }) => [
    spec,
    inDirectory(values[key], program.cwd) ?? null,
  ]);
  const spec = {
    .../** @type {Spec} */ (Object.fromEntries(fromOptions)),
    ...program,
    env: { ...env, ...ownEnv },
    shellEnv: shellEnvFor(shellEnv, values.uid ?? null),
    onDemand: values.onDemand ?? false,
    configFile: file,
    given: Object.fromEntries([...given, ...givenEnv]),
  };
  for (const step of STEPS) step(spec, settings, context);
  return spec;
}
