/** Checks the arguments of a program's calls: a TypeError names the call, what was expected and what came. */
import { inspect } from 'node:util';
import { nearest, snakeCase } from '../config/spelling.js';
import { isCount, isObject } from '../shared/checks.js';
import { added } from '../features/reload.js';

/** @typedef {{expected: string, is: (value: any) => boolean}} Kind of a value; expected: completes "must be …" */

export const aBoolean = kind('true or false', (value) => typeof value === 'boolean');
export const aString = kind('a string', (value) => typeof value === 'string' && value !== '');
const aFunction = kind('a function', (value) => typeof value === 'function');
const count = kind('a whole number from 0 up', isCount);
const selectors = kind(
  'a name, a worker id or another selector, or a list of these',
  (value) => isSelector(value) || (Array.isArray(value) && value.every(isSelector)),
);
const aDate = kind(
  'a valid Date',
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
);
const settings = kind('an object with settings', isObject);
export const anObject = kind('an object', isObject);
export const aTarget = kind('one app or worker', isSelector);
export const instances = kind(
  "a whole number from 0 up, or a string: 'max', '+2' or '-1'",
  (value) => (typeof value === 'number' ? count.is(value) : aString.is(value)),
);
export const aSignal = kind('the name or the number of a signal', isSelector);
export const aText = kind('a string', (value) => typeof value === 'string');
/** JSON.stringify throws a TypeError for a circular object, and for a BigInt. */
export const aMessage = kind(
  'a value that JSON can hold',
  (value) => JSON.stringify(value) !== undefined,
);

const partOptions = {
  env: aString,
  only: kind('a list of names', (value) => Array.isArray(value) && value.every(aString.is)),
};
const fileOptions = { ...partOptions, prune: aBoolean, updateEnv: aBoolean };
const rollingOptions = {
  parallel: kind('a whole number from 1 up', (value) => isCount(value) && value > 0),
  onFailure: oneOf('keep', 'rollback'),
};

/** The options of each call of the kernel. @type {Record<string, Record<string, Kind>>} */
const OPTIONS = {
  connect: { home: aString, start: aBoolean, onWarning: aFunction, onProgress: aFunction },
  list: { telemetry: aBoolean },
  stop: partOptions,
  delete: partOptions,
  apply: { ...fileOptions, ...rollingOptions },
  plan: { ...partOptions, prune: aBoolean },
  start: fileOptions,
  restart: { ...fileOptions, settings },
  reload: { ...fileOptions, ...rollingOptions, settings, ...added.options },
  env: { showSecrets: aBoolean },
  update: { apps: aBoolean },
  events: { selectors, since: aDate, follow: aBoolean },
  logs: {
    follow: aBoolean,
    lines: count,
    since: aDate,
    stream: oneOf('out', 'error'),
    grep: kind('a regular expression', (value) => value instanceof RegExp),
  },
};

/**
 * @template {Record<string, any>} T
 * @param {string} call
 * @param {T} options
 * @param {Record<string, Kind>} [known] those of a call that a feature adds
 */
export function checkOptions(call, options, known = OPTIONS[call] ?? {}) {
  read(`the options of ${call}()`, anObject, options);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name)) throw unknownOption(call, name, Object.keys(known));
    if (value !== undefined) read(`the option "${name}" of ${call}()`, known[name], value);
  }
  return options;
}

/** @param {string} what completes "Expected … to be" @param {Kind} kind that it must be @param {any} value */
export function read(what, { expected, is }, value) {
  if (!is(value)) throw wrong(what, expected, value);
  return value;
}

/** In snake_case. @param {object} given settings in snake_case or camelCase @returns {Record<string, unknown>} */
export function byOptionKey(given) {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [snakeCase(name), value]));
}

/** @param {string} call @param {unknown} value @throws {TypeError} */
export function readSelectors(call, value) {
  return [read(`the target of ${call}()`, selectors, value)].flat().map(String);
}

/** @param {string} what @param {string} expected @param {unknown} value */
export function wrong(what, expected, value) {
  const got = inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 100 });
  return invalid(`Expected ${what} to be ${expected}, but got ${got}.`);
}

/** @param {string} call @param {string} name @param {string[]} known */
function unknownOption(call, name, known) {
  const similar = nearest(name, known);
  const all = known.map((each) => `"${each}"`).join(', ');
  const advice = similar ? `Did you mean "${similar}"?` : `Its options are ${all}.`;
  return invalid(`${call}() has no option "${name}". ${advice}`);
}

/** @param {string} message */
function invalid(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

/** @param {unknown} value */
function isSelector(value) {
  return count.is(value) || aString.is(value);
}

/** @param {string} expected @param {Kind['is']} is @returns {Kind} */
export function kind(expected, is) {
  return { expected, is };
}

/** @param {...string} values */
function oneOf(...values) {
  const expected = values.map((value) => `"${value}"`).join(' or ');
  return kind(expected, (value) => values.includes(value));
}
