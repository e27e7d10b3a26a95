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

/**
 * @param {string} expected
 * @param {ValueType['schema']} schema
 * @param {ValueType['read']} read undefined: it is not what is expected, unless `read` has reported something else
 * @param {Partial<ValueType>} [more]
 * @returns {ValueType}
 */
export function typeOf(expected, schema, read, more) {
  return {
    expected,
    schema,
    ...more,
    read(input) {
      const { problems } = input.source;
      const problemsBefore = problems.length;
      const value = read(input);
      if (value === undefined && problems.length === problemsBefore) input.reject(expected);
      return value;
    },
  };
}

/** @param {string} expected @param {string} [pattern] */
function string(expected, pattern) {
  const expression = pattern ? new RegExp(pattern) : /./s;
  const schema = pattern
    ? { type: 'string', pattern }
    : { type: ['string', 'number'], minLength: 1 };
  const read = (/** @type {ConfigValue} */ input) => {
    const value = asString(input);
    return value !== null && expression.test(value) ? value : undefined;
  };
  return typeOf(expected, schema, read, { typescript: 'string' });
}

/** @param {string} expected @param {(text: string) => string} [toCheck] where nothing may be left to expand */
export function path(expected, toCheck) {
  const text = string(expected);
  return {
    ...text,
    read: (/** @type {ConfigValue} */ input) => readPath(input, text.read(input), toCheck),
  };
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

export const boolean = typeOf('true or false', { type: 'boolean' }, ({ value }) =>
  typeof value === 'boolean' ? value : undefined,
);

/** @param {string[]} values @param {Record<string, string>} [synonyms] */
export function choice(values, synonyms = {}) {
  const schema = { enum: [...values, ...Object.keys(synonyms)] };
  return typeOf(
    oneOf(values),
    schema,
    ({ value }) => values.find((each) => each === value || each === synonyms[value]),
    { values },
  );
}

export const signal = typeOf(
  oneOf(SIGNALS),
  { enum: SIGNALS },
  ({ value }) => {
    const name = value === 'auto' ? value : `SIG${String(value).toUpperCase().replace(/^SIG/, '')}`;
    return SIGNALS.find((each) => each === name);
  },
  { values: SIGNALS, typescript: "Signal | 'auto'" },
);

/** @param {{min?: number, max?: number}} [range] */
export function integer({ min = 0, max } = {}) {
  const schema = {
    type: ['integer', 'string'],
    minimum: min,
    ...(max === undefined ? {} : { maximum: max }),
    pattern: '^[0-9]+$',
  };
  const range = max === undefined ? 'or more' : `to ${max}`;
  return typeOf(`a whole number (${min} ${range})`, schema, (input) => {
    const value = asInteger(input.value);
    return value !== null && value >= min && value <= (max ?? Infinity) ? value : undefined;
  });
}

/** @param {{min?: number, max?: number}} [range] in ms, as the value in the spec */
export function duration({ min = 0, max = MAX_INT32 } = {}) {
  const schema = {
    type: ['integer', 'string'],
    minimum: min,
    maximum: max,
    pattern: '^([0-9]+|([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+)$',
  };
  const expected = 'a duration such as 10s, 1m or 500 (milliseconds)';
  const read = (/** @type {ConfigValue} */ input) => {
    const ms = parseDuration(input.value);
    if (ms === null) return undefined;
    if (ms < min) return input.reject(`a duration of at least ${writeDuration(min)}`);
    const limit = max === MAX_INT32 ? '24d' : writeDuration(max);
    return ms <= max ? ms : input.reject(`a duration of at most ${limit}`);
  };
  return typeOf(expected, schema, read, { write: writeDuration, unit: 'Ms' });
}

/** @param {{min: number}} range in bytes, as the value in the spec */
export function size({ min }) {
  const schema = {
    type: ['integer', 'string'],
    minimum: min,
    pattern: '^[0-9]+(\\.[0-9]+)?\\s*[KMGTkmgt]?([iI]?[bB])?$',
  };
  const read = (/** @type {ConfigValue} */ input) => {
    const bytes = parseSize(input.value);
    if (bytes === null) return undefined;
    return bytes >= min ? bytes : input.reject(`a size of at least ${writeSize(min)}`);
  };
  const more = { write: writeSize, unit: 'Bytes' };
  return typeOf('a size such as 512M or 1.5G', schema, read, more);
}

/** null in the spec: no pattern; PM2 files have 0 for that. */
export const cronPattern = typeOf(
  'a cron pattern such as "0 4 * * *"',
  { type: ['string', 'boolean', 'integer'], minLength: 1, maximum: 0 },
  (input) => {
    if ([false, 0, '0'].includes(input.value)) return null;
    if (typeof input.value !== 'string') return undefined;
    const pattern = input.value.trim();
    try {
      const nextAfter = parseCronPattern(pattern);
      if (nextAfter(Date.now()) !== null) return pattern;
      return input.reject(cronPattern.expected, 'no date matches it');
    } catch (error) {
      return input.reject(cronPattern.expected, /** @type {Error} */ (error).message);
    }
  },
  { typescript: 'string | false' },
);

/** Its number in the spec. @param {'user'|'group'} kind */
export function account(kind) {
  const schema = {
    type: ['integer', 'string'],
    minimum: 0,
    maximum: MAX_INT32,
    pattern: `^[0-9]+$|${ACCOUNT}`,
  };
  return typeOf(`the name or the number of a ${kind}`, schema, (input) => {
    const id = asInteger(input.value);
    if (id !== null && id >= 0 && id <= MAX_INT32) return id;
    const isName = typeof input.value === 'string' && new RegExp(ACCOUNT).test(input.value);
    if (!isName) return undefined;
    return accountId(kind, input.value) ?? input.reject(`a ${kind} of this machine`);
  });
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

/** A string, a boolean, or a number as it was written. @param {ConfigValue} input */
export function asString({ value, written }, { allowEmpty = false } = {}) {
  if (typeof value === 'number' || typeof value === 'boolean') return String(written);
  // A NUL cannot be passed to any program.
  if (typeof value !== 'string' || value.includes('\0')) return null;
  return value.trim() !== '' || allowEmpty ? value : null;
}

/** @param {unknown} value */
export function asInteger(value) {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? /** @type {number} */ (number) : null;
}
