/** The flags of `start`, made from the table of options, and an app's spec made from the flags. */
import { posix } from 'node:path';
import { NodeclusterError } from '../errors/error.js';
import { describeDefault, identifyKey, options } from './options/table.js';
import { ConfigValue, sourceWithoutFile } from './file/config-value.js';
import { resolveApp } from './resolve/app.js';
import { definedOnly } from './resolve/environment.js';
import { workingDirectory } from '../shared/files/inspect-path.js';
import { settingsOf } from './settings-of.js';
import { camelCase } from './spelling.js';

/**
 * @import { CommandOption } from '../cli/command.js'
 * @import { Path } from './file/config-value.js'
 * @import { Flag, Option } from './options/option.js'
 * @import { Problem } from '../errors/codes/config.js'
 * @import { Spec } from './spec.js'
 */

/** @typedef {Option & {flag: Flag}} FlaggedOption */

const flagged = /** @type {FlaggedOption[]} */ (options.filter(({ flag }) => flag));

/** @returns {(CommandOption & {key: string})[]} one for each setting of an app that has a flag, in the order of the table */
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
  return text.replace(/`/g, '').replace(/\[([^\]]+)\]\(([^)]+)\)/g, linkText);
}

/** @param {string} _link in Markdown @param {string} words @param {string} page as docs/reference/configuration.md names it */
function linkText(_link, words, page) {
  return `${words} (${posix.join('docs/reference', page)})`;
}

/**
 * @param {Record<string, unknown>} opts as commander read them, by camelCase names of flags
 * @returns {Record<string, unknown>} by option key, without flags that belong to no option
 * @throws {NodeclusterError} E_FLAG_INVALID
 */
export function flagsToEntries(opts) {
  const known = flagged.map((option) => ({
    key: option.key,
    // `--no-autorestart` is `autorestart: false`.
    name: camelCase(longFlag(option).replace(/^--(no-)?/, '')),
  }));
  const given = known.filter(({ name }) => name in opts);
  return Object.fromEntries(given.map(({ key, name }) => [key, entryOf(key, opts[name])]));
}

/** @param {string} key of an option @param {unknown} value of its flag */
function entryOf(key, value) {
  if (key === 'env') return parseVariables(value);
  // As in PM2, `--node-args=null` removes them: Node would take it for the program.
  return key === 'node_args' && value === 'null' ? [] : value;
}

/**
 * @param {Record<string, unknown>} settings of an app by option key
 * @param {{cwd: string, shellEnv: Record<string, string|undefined>}} place where they were typed
 * @throws {NodeclusterError} E_FLAG_INVALID, E_CANNOT_RUN
 */
export function fromFlags(settings, { cwd, shellEnv }) {
  refuseRemovals(settings, shellEnv);
  /** @type {string[]} */
  const warnings = [];
  const source = sourceWithoutFile(flagName);
  const rejectKey = (/** @type {ConfigValue} */ input) => input.report('unknown option');
  const { spec } = resolveApp(new ConfigValue(settings, [], source), {
    directory: workingDirectory({ cwd, env: shellEnv }),
    file: null,
    setBy: 'flag',
    envName: null,
    shellEnv: definedOnly(shellEnv),
    report: {
      unknownKey: rejectKey,
      pm2Key: rejectKey,
      warn: ({ path }, text) => void warnings.push(`${flagName(path)} ${text}`),
    },
  });
  if (!spec) throw invalid(source.problems);
  return { spec, warnings };
}

/**
 * What came from the shell stays, so a removal of it would do nothing.
 * @param {Record<string, any>} settings @param {Record<string, string|undefined>} shellEnv
 */
function refuseRemovals({ env }, shellEnv) {
  const removed = Object.entries(env ?? {}).filter(
    ([name, value]) => value === null && shellEnv[name],
  );
  const problems = removed.map(([name]) => ({
    line: null,
    column: null,
    key: '--set-env',
    text: `${name} comes from the shell and stays; ${name}= empties it`,
  }));
  if (problems.length > 0) throw invalid(problems);
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
 * @param {Spec} spec of an app that exists
 * @param {Record<string, unknown>} settings from flagsToEntries
 * @param {string} cwd where the command was typed
 * @returns {{spec: Spec, warnings: string[]}}
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
  const changed = Object.fromEntries(
    [
      ...options.filter(({ key }) => key in given).map(({ spec: key }) => String(key)),
      ...Object.keys(flags).map((name) => `env.${name}`),
    ].map((key) => [key, /** @type {const} */ ('flag')]),
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
    const problem = `expected NAME=value, or NAME- to remove it, got ${JSON.stringify(String(item))}`;
    const problems = [{ line: null, column: null, key: '--set-env', text: problem }];
    throw new NodeclusterError('E_FLAG_INVALID', { problems });
  });
  return Object.fromEntries(pairs);
}
