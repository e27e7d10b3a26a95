/** The flags of `start`, made from the table of options, and one app's spec made from them. */
import os from 'node:os';
import { NodeclusterError } from '../errors/error.js';
import { describeDefault } from './describe/option.js';
import { identifyKey } from './options/keys.js';
import { options } from './options/table.js';
import { Place } from './file/position.js';
import { definedOnly, freeze } from './resolve/apps.js';
import { resolveApp } from './resolve/app.js';
import { workingFolder } from './resolve/working-directory.js';

/**
 * @import { Problem } from '../errors/codes/config.js'
 * @import { Path } from './file/position.js'
 * @import { Flag, Option } from './options/table.js'
 * @import { Spec } from './spec.js'
 */

/** @typedef {Option & {flag: Flag}} FlaggedOption */
/**
 * @typedef {object} StartFlag
 * @property {string} flags `-i, --instances <number>`
 * @property {string} key of the option
 * @property {string} description with the default
 * @property {boolean} repeatable it may be given several times, and makes a list
 * @property {readonly string[]} [values] all that it can be, where they are few
 */

const flagged = /** @type {FlaggedOption[]} */ (options.filter(({ flag }) => flag));

/** @returns {StartFlag[]} in the order of the table */
export function startFlags() {
  return flagged.map((option) => {
    const { short, takes, help, repeatable = false } = option.flag;
    const names = [short, longFlag(option)].filter(Boolean).join(', ');
    return {
      flags: takes ? `${names} <${takes}>` : names,
      key: option.key,
      description: helpText(option, repeatable, help),
      repeatable,
      values: option.type.values,
    };
  });
}

/**
 * @param {Option} option
 * @param {boolean} repeatable
 * @param {string} [help]
 */
function helpText(option, repeatable, help) {
  const often = repeatable ? ' May be given several times.' : '';
  const text = help ?? `${option.description}${often} Default: ${describeDefault(option)}.`;
  return text.replace(/`/g, '');
}

/**
 * What commander read → values by option key; what belongs to no option is left out.
 * @param {Record<string, unknown>} opts camelCase names of flags
 * @returns {Record<string, unknown>}
 * @throws {NodeclusterError} E_FLAG_INVALID
 */
export function flagsToEntries(opts) {
  const byName = new Map(flagged.map((option) => [attributeOf(option), option]));
  const given = Object.entries(opts).filter(([name]) => byName.has(name));
  return Object.fromEntries(
    given.map(([name, value]) => {
      const { key } = /** @type {Option} */ (byName.get(name));
      return [key, key === 'env' ? variablesFrom(value) : value];
    }),
  );
}

/**
 * @param {object} wanted
 * @param {string} wanted.script
 * @param {string[]} [wanted.args]
 * @param {Record<string, unknown>} [wanted.flags] from flagsToEntries
 * @param {string} wanted.cwd where the command was typed
 * @param {Record<string, string|undefined>} wanted.shellEnv
 * @param {number} [wanted.cpus]
 * @returns {{spec: Spec, warnings: string[]}}
 * @throws {NodeclusterError} E_FLAG_INVALID
 */
export function fromFlags({ script, args = [], flags = {}, cwd, shellEnv, cpus }) {
  /** @type {Problem[]} */
  const problems = [];
  /** @type {string[]} */
  const warnings = [];
  const origin = { locate: () => null, written: () => null, nameOf: flagName, problems };
  const { spec } = resolveApp(new Place({ ...flags, script, args }, [], origin), {
    folder: workingFolder({ cwd, env: shellEnv }),
    file: null,
    source: 'flag',
    envName: null,
    shellEnv: definedOnly(shellEnv),
    cpus: cpus ?? os.availableParallelism(),
    onUnknownKey: (place) => place.report('expected a known option'),
    onForeignKey: (place) => place.report('expected a known option'),
    onUseless: (place, text) => warnings.push(`${flagName(place.path)} ${text}`),
  });
  if (!spec) throw new NodeclusterError('E_FLAG_INVALID', { problems });
  return { spec: freeze(spec), warnings };
}

/** @param {Path} path */
function flagName([key, ...rest]) {
  const meant = identifyKey(String(key));
  const option = 'option' in meant ? meant.option : null;
  const name = option?.flag ? longFlag(/** @type {FlaggedOption} */ (option)) : String(key);
  return rest.length > 0 ? `${name} ${rest.join('.')}` : name;
}

/** @param {FlaggedOption} option */
function longFlag({ key, flag }) {
  return flag.long ?? `--${flag.negated ? 'no-' : ''}${key.replace(/_/g, '-')}`;
}

/**
 * The name under which commander keeps a flag: `--no-autorestart` is `autorestart: false`.
 * @param {FlaggedOption} option
 */
function attributeOf(option) {
  const name = longFlag(option).slice(2).replace(/^no-/, '');
  return name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
}

/**
 * @param {unknown} value the arguments of --set-env
 * @returns {Record<string, string>}
 */
function variablesFrom(value) {
  const items = [value].flat().map(String);
  const wrong = items.find((item) => !/^[^=]+=/.test(item));
  if (wrong !== undefined) {
    const text = `expected NAME=value, got ${JSON.stringify(wrong)}`;
    const problems = [{ line: null, column: null, key: '--set-env', text }];
    throw new NodeclusterError('E_FLAG_INVALID', { problems });
  }
  const pairs = items.map((item) => [item.split('=', 1)[0], item.slice(item.indexOf('=') + 1)]);
  return Object.fromEntries(pairs);
}
