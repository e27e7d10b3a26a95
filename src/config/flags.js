/** The flags of `start`, made from the table of options, and an app's spec made from the flags. */
import { posix } from 'node:path';
import { NodeclusterError } from '../errors/error.js';
import { describeDefault, identifyKey, options } from './options/table.js';
import { ConfigSource, ConfigValue } from './file/config-value.js';
import { resolveApp } from './resolve/app.js';
import { definedOnly } from './resolve/environment.js';
import { workingDirectory } from '../shared/files/inspect-path.js';
import { settingsOf } from './settings-of.js';
import { camelCase } from './spelling.js';

/**
 * @import { CommandOption } from '../cli/command.js'
 * @import { Path } from './file/config-value.js'
 * @import { Flag, Option } from './options/option.js'
 * @import { Problem } from '../errors/codes/bad-file.js'
 * @import { Spec } from './spec.js'
 */

/** @typedef {Option & {flag: Flag}} FlaggedOption */

const flagged = /** @type {FlaggedOption[]} */ (options.filter(({ flag }) => flag));

/** @returns {(CommandOption & {key: string})[]} one for each setting of an app that has a flag */
export function settingOptions() {
  return flagged.map((option) => {
    const { short, takes, repeatable, brief } = option.flag;
    const names = [short, longFlag(option)].filter(Boolean).join(', ');
    return {
      key: option.key,
      flags: takes ? `${names} <${takes}>` : names,
      summary: helpText(option),
      brief,
      isRare: brief === undefined,
      heading: `${option.group}:`,
      repeatable,
      values: option.type.values,
      pm2: option.pm2,
    };
  });
}

/** @param {FlaggedOption} option */
function helpText(option) {
  const { help, repeatable } = option.flag;
  const note = repeatable ? ' May be given several times.' : '';
  const text = help ?? `${option.description}${note} Default: ${describeDefault(option)}.`;
  return text
    .replace(/`/g, '')
    .replace(
      /\[([^\]]+)\]\(([^)]+)\)/g,
      (_link, words, page) => `${words} (${posix.join('docs/reference', page)})`,
    );
}

/**
 * By option key, without flags that belong to no option.
 * @param {Record<string, unknown>} opts by camelCase names of flags
 * @throws {NodeclusterError} E_FLAG_INVALID
 */
export function flagsToEntries(opts) {
  /** @type {Record<string, any>} */
  const entries = {};
  for (const option of flagged) {
    // `--no-autorestart` is `autorestart: false`.
    const name = camelCase(longFlag(option).replace(/^--(no-)?/, ''));
    if (name in opts) entries[option.key] = opts[name];
  }
  if ('env' in entries) entries.env = parseVariables(entries.env);
  // As in PM2, `--node-args=null` removes them: Node would take it for the program.
  if (entries.node_args === 'null') entries.node_args = [];
  return entries;
}

/**
 * @param {Record<string, unknown>} settings of an app by option key
 * @param {{cwd: string, shellEnv: Record<string, string|undefined>}} place where they were typed
 * @throws {NodeclusterError} E_FLAG_INVALID, E_CANNOT_RUN
 */
export function fromFlags(settings, { cwd, shellEnv }) {
  const source = new ConfigSource({ keyName: flagName });
  const { spec } = resolveApp(new ConfigValue(settings, [], source), {
    directory: workingDirectory({ cwd, env: shellEnv }),
    file: null,
    setBy: 'flag',
    envName: null,
    shellEnv: definedOnly(shellEnv),
  });
  if (!spec) throw invalid(source.problems);
  return { spec, warnings: source.warnings };
}

/** @param {Problem[]} problems */
function invalid(problems) {
  // There is no flag for the script: it is the program that was named.
  return problems.every(({ key }) => key === 'script')
    ? new NodeclusterError('E_CANNOT_RUN', { faults: problems.map(({ text }) => text) })
    : new NodeclusterError('E_FLAG_INVALID', { problems });
}

/**
 * What is not given stays as it is; a variable of `env` is added to those that the app has.
 * @param {Spec} spec
 * @param {Record<string, unknown>} settings from flagsToEntries
 * @param {string} cwd of the command
 */
export function changeByFlags(spec, { env, ...given }, cwd) {
  const { gid, ...before } = settingsOf(spec);
  // The group follows the user, unless it was chosen.
  const keepsGroup = given.uid === undefined || spec.given.gid !== undefined;
  const settings = { ...before, ...(keepsGroup && { gid }), ...given };
  const { shellEnv, configFile } = spec;
  const flags = /** @type {Record<string, string | null>} */ (env ?? {});
  const variables = { ...spec.env, ...flags };
  const { spec: next, warnings } = fromFlags({ ...settings, env: variables }, { cwd, shellEnv });
  const settingKeys = options.filter(({ key }) => key in given).map(({ spec: key }) => String(key));
  const changedKeys = [...settingKeys, ...Object.keys(flags).map((name) => `env.${name}`)];
  const changed = Object.fromEntries(
    changedKeys.map((key) => [key, /** @type {const} */ ('flag')]),
  );
  return { spec: { ...next, configFile, given: { ...spec.given, ...changed } }, warnings };
}

/** @param {Path} path */
function flagName([key, ...rest]) {
  const meaning = identifyKey(String(key));
  const option = 'option' in meaning ? meaning.option : null;
  const name = option?.flag ? longFlag(/** @type {FlaggedOption} */ (option)) : String(key);
  return rest.length > 0 ? `${name} ${rest.join('.')}` : name;
}

/** @param {FlaggedOption} option */
function longFlag({ key, flag, default: byDefault }) {
  const isOff = !flag.takes && Boolean(byDefault);
  return flag.long ?? `--${isOff ? 'no-' : ''}${key.replace(/_/g, '-')}`;
}

/** @param {unknown} value the arguments of --set-env @returns {Record<string, string | null>} null: removed, as in kubectl */
function parseVariables(value) {
  const pairs = [value].flat().map((item) => {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(String(item)) ?? [];
    if (name !== undefined) return [name, text];
    const [, removed] = /^([^=]+)-$/.exec(String(item)) ?? [];
    if (removed !== undefined) return [removed, null];
    const got = JSON.stringify(String(item));
    const problem = `expected NAME=value, or NAME- to remove it, got ${got}`;
    throw invalid([{ line: null, column: null, key: '--set-env', text: problem }]);
  });
  return Object.fromEntries(pairs);
}
