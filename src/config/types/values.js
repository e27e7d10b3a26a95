/** The types of single values: each reads a ConfigValue, writes a value of the spec back, and is JSON Schema. */
import { whyReserved } from '../../shared/env-lines.js';
import { formatSize, parseDuration, parseSize } from '../../shared/units.js';
import { expandHome, pathFault } from '../../shared/files/written-path.js';
import { accountId } from '../../shared/processes/account.js';
import { parseCronPattern } from './cron.js';

/** @import { ConfigValue } from '../file/config-value.js' */

/**
 * @typedef {object} ValueType
 * @property {string} expected completes "expected …"
 * @property {(input: ConfigValue) => any} read the value for the spec; undefined if it is rejected
 * @property {(value: any) => unknown} [write] without it, files and specs have the same value
 * @property {string} [unit] of the number in a spec, whose key ends with it
 * @property {Record<string, any>} schema
 * @property {readonly string[]} [values] all possible values, if there are few
 * @property {string} [typescript] the type for programs, if the schema says more or less
 */

/** Node's timers turn longer delays into 1 ms, and it accepts no higher uid or gid. */
const MAX_INT32 = 2 ** 31 - 1;
export const MAX_INSTANCES = 1000;
const ACCOUNT = '^[A-Za-z_][A-Za-z0-9_.-]*$';
const SIGNALS = 'auto SIGTERM SIGINT SIGQUIT SIGHUP SIGUSR1 SIGUSR2 SIGWINCH SIGABRT SIGKILL'.split(
  ' ',
);

/** @param {string} expected @param {string} [pattern] @returns {ValueType} */
function string(expected, pattern) {
  const expression = pattern ? new RegExp(pattern) : /./s;
  return {
    expected,
    read(input) {
      const value = asString(input);
      return value !== null && expression.test(value) ? value : input.reject(expected);
    },
    schema: pattern ? { type: 'string', pattern } : { type: ['string', 'number'], minLength: 1 },
    typescript: 'string',
  };
}

/** @param {string} expected @param {(text: string) => string} [toCheck] where nothing may be left to expand @returns {ValueType} */
export function path(expected, toCheck) {
  const text = string(expected);
  return { ...text, read: (input) => readPath(input, text.read(input), toCheck) };
}

/** @param {ConfigValue} input to report on @param {string | undefined} text undefined: it was rejected */
export function readPath(input, text, toCheck = (/** @type {string} */ all) => all) {
  if (text === undefined) return undefined;
  const fault = pathFault(toCheck(text));
  return fault === null ? expandHome(text) : void input.report(fault);
}

export const appName = string(
  'a name of up to 64 letters, digits, ".", "_", "@" and "-" (not only digits, not "all")',
  '^(?!all$|[0-9]+$)[A-Za-z0-9_@][A-Za-z0-9._@-]{0,63}$',
);
const anyVariable = string('the name of an environment variable', '^[A-Za-z_][A-Za-z0-9_]*$');
/** @type {ValueType} */
export const variableName = {
  ...anyVariable,
  read(input) {
    const name = anyVariable.read(input);
    const reason = name && whyReserved(name);
    return reason ? void input.report(reason) : name;
  },
};

/** @type {ValueType} */
export const boolean = {
  expected: 'true or false',
  read: (input) => (typeof input.value === 'boolean' ? input.value : input.reject('true or false')),
  schema: { type: 'boolean' },
};

/** @param {string[]} values @param {Record<string, string>} [synonyms] @returns {ValueType} */
export function choice(values, synonyms = {}) {
  const expected = oneOf(values);
  return {
    expected,
    read(input) {
      const { value } = input;
      if (typeof value !== 'string') return input.reject(expected);
      const meant = Object.hasOwn(synonyms, value) ? synonyms[value] : value;
      return values.includes(meant) ? meant : input.reject(expected);
    },
    schema: { enum: [...values, ...Object.keys(synonyms)] },
    values,
  };
}

/** @type {ValueType} */
export const signal = {
  expected: oneOf(SIGNALS),
  read(input) {
    if (input.value === 'auto') return 'auto';
    if (typeof input.value !== 'string') return input.reject(signal.expected);
    const name = input.value.toUpperCase().replace(/^(?!SIG)/, 'SIG');
    return SIGNALS.includes(name) ? name : input.reject(signal.expected);
  },
  schema: { enum: SIGNALS },
  values: SIGNALS,
};

/** @param {{min?: number, max?: number}} [range] @returns {ValueType} */
export function integer({ min = 0, max } = {}) {
  const expected = `a whole number (${min} ${max === undefined ? 'or more' : `to ${max}`})`;
  return {
    expected,
    read(input) {
      const value = asInteger(input.value);
      const isInRange = value !== null && value >= min && value <= (max ?? Infinity);
      return isInRange ? value : input.reject(expected);
    },
    schema: {
      type: ['integer', 'string'],
      minimum: min,
      ...(max === undefined ? {} : { maximum: max }),
      pattern: '^[0-9]+$',
    },
  };
}

/** @param {{min?: number, max?: number}} [range] in ms @returns {ValueType} ms in the spec */
export function duration({ min = 0, max = MAX_INT32 } = {}) {
  const expected = 'a duration such as 10s, 1m or 500 (milliseconds)';
  return {
    expected,
    read(input) {
      const ms = parseDuration(input.value);
      if (ms === null) return input.reject(expected);
      if (ms < min) return input.reject(`a duration of at least ${writeDuration(min)}`);
      const limit = max === MAX_INT32 ? '24d' : writeDuration(max);
      return ms <= max ? ms : input.reject(`a duration of at most ${limit}`);
    },
    write: writeDuration,
    unit: 'Ms',
    schema: {
      type: ['integer', 'string'],
      minimum: min,
      maximum: max,
      pattern: '^([0-9]+|([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+)$',
    },
  };
}

/** @param {{min: number}} range in bytes @returns {ValueType} bytes in the spec */
export function size({ min }) {
  const expected = 'a size such as 512M or 1.5G';
  return {
    expected,
    read(input) {
      const bytes = parseSize(input.value);
      if (bytes === null) return input.reject(expected);
      return bytes >= min ? bytes : input.reject(`a size of at least ${writeSize(min)}`);
    },
    write: writeSize,
    unit: 'Bytes',
    schema: {
      type: ['integer', 'string'],
      minimum: min,
      pattern: '^[0-9]+(\\.[0-9]+)?\\s*[KMGTkmgt]?([iI]?[bB])?$',
    },
  };
}

/** @type {ValueType} null in the spec: no pattern; PM2 files have 0 for that */
export const cronPattern = {
  expected: 'a cron pattern such as "0 4 * * *"',
  read(input) {
    if (input.value === false || input.value === 0 || input.value === '0') return null;
    if (typeof input.value !== 'string') return input.reject(cronPattern.expected);
    const pattern = input.value.trim();
    try {
      const nextAfter = parseCronPattern(pattern);
      if (nextAfter(Date.now()) !== null) return pattern;
      return input.reject(cronPattern.expected, 'no date matches it');
    } catch (error) {
      return input.reject(cronPattern.expected, /** @type {Error} */ (error).message);
    }
  },
  schema: { type: ['string', 'boolean', 'integer'], minLength: 1, maximum: 0 },
  typescript: 'string | false',
};

/** @param {'user'|'group'} kind @returns {ValueType} the number of the account in the spec */
export function account(kind) {
  const expected = `the name or the number of a ${kind}`;
  return {
    expected,
    read(input) {
      const id = asInteger(input.value);
      if (id !== null && id >= 0 && id <= MAX_INT32) return id;
      const isName = typeof input.value === 'string' && new RegExp(ACCOUNT).test(input.value);
      if (!isName) return input.reject(expected);
      return accountId(kind, input.value) ?? input.reject(`a ${kind} of this machine`);
    },
    schema: {
      type: ['integer', 'string'],
      minimum: 0,
      maximum: MAX_INT32,
      pattern: `^[0-9]+$|${ACCOUNT}`,
    },
  };
}

/** @param {number} ms */
function writeDuration(ms) {
  if (ms === 0 || ms % 1000 !== 0) return `${ms}ms`;
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  return ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1000}s`;
}

/** @param {number} bytes */
function writeSize(bytes) {
  const text = formatSize(bytes);
  return parseSize(text) === bytes ? text : String(bytes);
}

/** @param {readonly string[]} values @returns {string} `a, b or c` */
export function oneOf(values) {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** A string, or a number or boolean as it was written: 1.10, 007. @param {ConfigValue} input */
export function asString(input, { allowEmpty = false } = {}) {
  const { value, path: place, source } = input;
  if (typeof value === 'number' || typeof value === 'boolean') {
    return source.written(place) ?? String(value);
  }
  // A NUL cannot be passed to any program.
  if (typeof value !== 'string' || value.includes('\0')) return null;
  return value.trim() !== '' || allowEmpty ? value : null;
}

/** @param {unknown} value */
export function asInteger(value) {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? /** @type {number} */ (number) : null;
}
