/** One app's settings → its spec. Problems are reported through the values; nothing is thrown. */
import { constants } from 'node:fs';
import { isAccessible, isOfSystem } from '../../shared/files/inspect-path.js';
import { dependencyOf } from '../command/locate.js';
import { defaultOf, identifyKey, options, specOptions } from '../options/table.js';
import { changesNothing } from '../options/pm2-names.js';
import { featureOptions } from '../../features/options.js';
import { checkAccounts, checkPrivilegedPorts, chooseGroup } from './account.js';
import { checkIncrementVar, layerEnvironment, shellEnvFor, warnOfDropped } from './environment.js';
import { resolveFiles } from './files.js';
import { resolveName } from './names.js';
import { resolveProgram } from './program.js';
import { loadTypeScript } from './typescript.js';

/**
 * @import { ConfigValue } from '../file/config-value.js'
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
 * @property {boolean} [runsElsewhere] what this user may do here does not matter
 * @property {Pick<Report, 'unknownKey' | 'pm2Key' | 'warn'>} report
 *
 * @typedef {object} Settings
 * @property {Map<string, ConfigValue>} inputs by option key
 * @property {Map<string, ConfigValue>} environments env_<name> by name
 * @property {Record<string, any>} values by option key; undefined where rejected
 * @property {(key: string) => ConfigValue} inputOf also for an option that is not set
 *
 * @typedef {(spec: Spec, settings: Settings, context: AppContext) => void} Step in which a spec is completed, or a
 *   problem or a warning is reported
 */

/** Packages whose clients may use long-polling: several requests for one session, which one worker has. */
const LONG_POLLING =
  /^(socket\.io|engine\.io|fastify-socket\.io|@nestjs\/platform-socket\.io|sockjs)$/;

/** @type {Step[]} */
const STEPS = [
  chooseScheduling,
  explainMode,
  chooseGroup,
  checkIncrementVar,
  rejectRangeInForkMode,
  checkAccounts,
  warnOfDropped,
  checkPrivilegedPorts,
  warnOfIneffective,
  checkWatched,
  loadTypeScript,
];

/**
 * `baseName`: without the environment's; `isNamed`: by its settings; `dependsOn`: as the file has it.
 * @param {ConfigValue} app a map @param {AppContext} context @returns a frozen spec, null if there was a problem
 */
export function resolveApp(app, context) {
  const problemsBefore = app.source.problems.length;
  const settings = readSettings(app, context.report);
  const { inputs, environments, values, inputOf } = settings;
  if (!inputs.has('script')) inputOf('script').reject('the path of a program');
  const { directory, shellEnv } = context;
  const ownEnv = layerEnvironment(settings, context);
  const searchPath = ownEnv.PATH ?? shellEnv.PATH ?? process.env.PATH ?? '';
  const resolved = resolveProgram({ values, inputOf, directory, searchPath });
  const { name, baseName } = resolveName(resolved && resolved.program, settings, context);
  values.name = name;
  const spec = resolved && makeSpec(resolved, ownEnv, settings, context);
  const isValid = app.source.problems.length === problemsBefore;
  return {
    spec: spec && isValid ? deepFreeze(spec) : null,
    name,
    baseName,
    isNamed: inputs.has('name'),
    environments: [...environments.keys()],
    dependsOn: inputs.get('depends_on'),
  };
}

/** @param {ConfigValue} app @param {AppContext['report']} report */
function readSettings(app, report) {
  /** @type {Settings} */
  const settings = {
    inputs: new Map(),
    environments: new Map(),
    values: {},
    inputOf: (key) => settings.inputs.get(key) ?? app.child(key),
  };
  for (const key of Object.keys(app.value)) {
    const input = app.child(key);
    const meaning = identifyKey(key, input.value);
    if ('pm2' in meaning) {
      const { advice } = meaning.pm2;
      if (advice && !changesNothing(meaning.pm2, input.value)) report.pm2Key(input, advice);
    } else if ('nearest' in meaning) report.unknownKey(input, meaning.nearest);
    else if (input.value === null || input.value === undefined) continue;
    else if ('environment' in meaning) settings.environments.set(meaning.environment, input);
    else addSetting(settings, meaning.option.key, input);
  }
  settings.values = readValues(settings);
  return settings;
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
    ...resolveFiles(program.cwd, settings, context),
    env: { ...env, ...ownEnv },
    shellEnv: shellEnvFor(shellEnv, values.uid ?? null),
    onDemand: values.onDemand ?? false,
    configFile: file,
    given: Object.fromEntries([...given, ...givenEnv]),
  };
  for (const step of STEPS) step(spec, settings, context);
  return spec;
}

/** Several processes of a program that listens would take each other's port, which is not seen from outside. @type {Step} */
function explainMode({ modeReason, instances, incrementVar }, { inputOf }, { report }) {
  if (modeReason === null) return;
  const advice = '; for a cluster, start the program of Node itself';
  if (instances !== 1 && incrementVar === null) {
    const more = `${advice}; if it serves no port, set exec_mode to fork`;
    inputOf('instances').report(`must be 1, because ${modeReason}${more}`);
    return;
  }
  report.warn(inputOf('script'), `runs in fork mode: ${modeReason}${advice}`);
}

/** Not only with several workers: `scale` starts others without asking again. @type {Step} */
function chooseScheduling(spec, { inputs, inputOf }, { report }) {
  const { script, execMode, instances, incrementVar } = spec;
  const input = inputs.get('scheduling');
  if (input?.value === 'shared')
    report.warn(input, 'shared was removed; leave it out, and fair, the default, is used');
  if (execMode === 'fork' || incrementVar !== null || input) return;
  const found = dependencyOf(script, LONG_POLLING);
  if (found === null) return;
  spec.scheduling = 'sticky';
  if (instances === 1) return;
  const effect = 'all connections of one client address, or of one proxy, get the same worker';
  const choice =
    'to choose, set scheduling to sticky, or to fair if the server takes only websockets';
  report.warn(inputOf('script'), `uses ${found}, so scheduling is sticky: ${effect}; ${choice}`);
}

/** Only the agent of a cluster worker measures its event loop. @type {Step} */
function rejectRangeInForkMode({ execMode, modeReason, instances }, { inputOf }) {
  if (execMode === 'cluster' || modeReason !== null || typeof instances === 'number') return;
  inputOf('instances').report('must be a number in fork mode, where event loops are not measured');
}

/** @type {Step} */
function warnOfIneffective({ execMode, interpreter }, { inputs }, { report }) {
  if (execMode !== 'fork') return;
  for (const { key, inForkMode } of options) {
    const input = inputs.get(key);
    if (input && inForkMode) report.warn(input, `has no effect in fork mode${inForkMode}`);
  }
  const nodeArgs = inputs.get('node_args');
  if (nodeArgs && interpreter === null)
    report.warn(nodeArgs, 'has no effect, because no interpreter runs the script');
}

/** @type {Step} */
function checkWatched({ watch, cwd }, { inputOf }, { report, runsElsewhere }) {
  if (watch === false || runsElsewhere) return;
  const ofSystem = (watch === true ? [cwd] : watch).find(isOfSystem);
  if (ofSystem !== undefined) {
    const instead = 'list the directories of the program in watch';
    inputOf('watch').report(
      `cannot watch ${ofSystem}, which holds the system: start the app in its directory, set cwd, or ${instead}`,
    );
  }
  if (watch === true) return;
  const missing = watch.find((path) => !isAccessible(path, constants.F_OK));
  if (missing !== undefined) report.warn(inputOf('watch'), `there is no ${missing} yet`);
}

/** @template {object} T @param {T} value plain data @returns {T} the same */
function deepFreeze(value) {
  for (const part of Object.values(value)) if (part && typeof part === 'object') deepFreeze(part);
  return Object.freeze(value);
}
