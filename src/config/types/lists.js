/** The types of lists and maps. */
import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { attempt } from '../../errors/error.js';
import { ConfigValue } from '../file/config-value.js';
import { asInteger, asString, choice, oneOf, readPath, typeOf } from './values.js';
import { splitWords } from '../command/command-line.js';
import { isObject } from '../../shared/checks.js';
import { whyReserved } from '../../shared/env-lines.js';
import { camelCase, nearest, spellingsOf } from '../spelling.js';

/**
 * @import { ValueType } from './values.js'
 * @import { Condition } from '../spec.js'
 */

const STRINGS_SCHEMA = {
  type: ['array', 'string', 'number'],
  items: { type: ['string', 'number', 'boolean'] },
};

export const words = typeOf(
  'a list of strings, or one string split at spaces',
  STRINGS_SCHEMA,
  (input) => {
    if (Array.isArray(input.value)) return readItems(input, strings.expected);
    const whole = asString(input, { allowEmpty: true });
    if (whole === null) return undefined;
    return splitWords(whole) ?? input.reject(words.expected, 'a quote is not closed');
  },
  { typescript: 'string | readonly (string | number | boolean)[]' },
);

export const strings = typeOf(
  'a string or a list of strings',
  STRINGS_SCHEMA,
  (input) => {
    if (Array.isArray(input.value)) return readItems(input, 'a string');
    const one = asString(input);
    return one === null ? undefined : [one];
  },
  { typescript: 'string | readonly string[]' },
);

/** @param {(text: string) => string} [toCheck] as for a path @returns {ValueType} */
export const paths = (toCheck) => ({
  ...strings,
  read(input) {
    const list = strings.read(input);
    const read = list?.map((/** @type {string} */ each) => readPath(input, each, toCheck));
    return read?.includes(undefined) ? undefined : read;
  },
});

export const command = typeOf(
  'a command with its arguments: a list of strings, or one string split at spaces',
  STRINGS_SCHEMA,
  (input) => {
    const [first, ...args] = words.read(input) ?? [];
    const program = first && readPath(input, first);
    return program ? [program, ...args] : undefined;
  },
  { typescript: words.typescript },
);

/** In a file, numbers may also be one string. @param {any} value */
function itemsOf(value) {
  return typeof value === 'string' ? value.split(/[\s,]+/) : [value].flat();
}

export const exitCodes = typeOf(
  'a list of exit codes (0 to 255)',
  {
    type: ['array', 'integer', 'string'],
    items: { type: 'integer', minimum: 0, maximum: 255 },
    minimum: 0,
    maximum: 255,
    pattern: '^[0-9]+([ ,]+[0-9]+)*$',
  },
  ({ value }) => {
    const codes = itemsOf(value).map(asInteger);
    const areValid = codes.every((code) => code !== null && code >= 0 && code <= 255);
    return areValid ? codes : undefined;
  },
);

const PRIVILEGED_PORT = '^(([0-9.]+|\\[[0-9a-fA-F:.]+\\]):)?([0-9]{1,3}|10[01][0-9]|102[0-3])$';

/** In the spec `80`, `127.0.0.1:80` or `[::1]:80`. */
export const privilegedPorts = typeOf(
  'ports below 1024, such as 80 or 127.0.0.1:80',
  {
    type: ['array', 'integer', 'string'],
    items: { type: ['integer', 'string'], minimum: 1, maximum: 1023, pattern: PRIVILEGED_PORT },
    minimum: 1,
    maximum: 1023,
    minLength: 1,
  },
  ({ value, path, source }) => {
    const list = itemsOf(value);
    const faulty = list.findIndex((each) => !isPrivilegedPort(each));
    if (faulty === -1) return [...new Set(list.map(String))];
    new ConfigValue(list[faulty], path, source).reject(privilegedPorts.expected);
  },
  { typescript: 'string | number | readonly (string | number)[]' },
);

/** @param {unknown} value */
function isPrivilegedPort(value) {
  const [, , address, port] = new RegExp(PRIVILEGED_PORT).exec(String(value)) ?? [];
  return Number(port) > 0 && (!address || isIP(address.replace(/[[\]]/g, '')) > 0);
}

export const variables = typeOf(
  'a map of variables',
  {
    type: 'object',
    propertyNames: { pattern: '^[^=]+$' },
    additionalProperties: {
      type: ['string', 'number', 'boolean', 'object', 'array', 'null'],
    },
  },
  (input) => {
    if (!isObject(input.value)) return undefined;
    const names = Object.keys(input.value);
    const pairs = names.map((name) => [name, readVariable(input.child(name), name)]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  },
  { typescript: 'Record<string, string | number | boolean | object | null | undefined>' },
);

/** Maps and lists become JSON, as in PM2. @param {ConfigValue} input @param {string} name */
function readVariable(input, name) {
  if (!/^[^=\0]+$/.test(name)) {
    return void input.report(`expected a name without "=", got ${JSON.stringify(name)}`, 'key');
  }
  const reason = whyReserved(name);
  if (reason !== null) return void input.report(reason, 'key');
  if (input.value === undefined || input.value === null) return undefined;
  const value = asString(input, { allowEmpty: true });
  if (value !== null) return value;
  return attempt(() => JSON.stringify(input.value), undefined) ?? input.reject('a string');
}

/** @param {ConfigValue} input a list @param {string} expected @returns {(string|undefined)[]} */
function readItems(input, expected) {
  return input.value.map((/** @type {unknown} */ _, /** @type {number} */ index) => {
    const item = input.child(index);
    return asString(item, { allowEmpty: true }) ?? item.reject(expected);
  });
}

const condition = choice(['ready', 'started', 'exited']);

/** `depends_on`: apps, and what each must have done; in the spec conditions by app. */
export const dependencies = typeOf(
  'the name of an app, a list of names, or a map of names to ready, started or exited',
  {
    type: ['array', 'string', 'object'],
    items: { type: ['string', 'number'] },
    additionalProperties: { enum: condition.values },
  },
  (input) => {
    const { value } = input;
    const isMap = isObject(value);
    if (!isMap && !Array.isArray(value) && typeof value !== 'string') return undefined;
    /** @type {string[]} */
    const items = isMap ? Object.keys(value) : (strings.read(input) ?? []);
    // One that is no string is rejected already.
    const names = items.filter((name) => name !== undefined);
    const conditionOf = (/** @type {string} */ name) =>
      isMap ? condition.read(input.child(name)) : 'ready';
    return Object.fromEntries(names.map((name) => [name, conditionOf(name)]));
  },
  {
    write(/** @type {Record<string, Condition>} */ value) {
      const areReady = Object.values(value).every((each) => each === 'ready');
      return areReady ? Object.keys(value) : value;
    },
    typescript: "string | readonly string[] | Record<string, 'ready' | 'started' | 'exited'>",
  },
);

/**
 * @typedef {object} Part of a map
 * @property {ValueType} type
 * @property {unknown} default as the spec has it
 * @property {boolean} [isRare] left out of what is written while it has its default
 * @property {string[]} [aliases] keys that PM2 has for it
 */

/** @param {Record<string, Part>} parts by key in a file @returns {ValueType} */
export function mapOf(parts) {
  const names = Object.keys(parts);
  const entries = Object.entries(parts);
  const keys = new Map(
    entries.flatMap(([key, { aliases }]) => spellingsOf(key, aliases).map((name) => [name, key])),
  );
  const others = [...keys].filter(([name, key]) => name !== key);
  const expected = `a map of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return {
    expected,
    read(input) {
      if (!isObject(input.value)) return input.reject(expected);
      const problemsBefore = input.source.problems.length;
      const given = childrenByKey(input, keys, names);
      const values = entries.map(([key, { type, default: byDefault }]) => {
        const child = given.get(key);
        return [specKey(key, type), child ? type.read(child) : byDefault];
      });
      if (input.source.problems.length === problemsBefore) return Object.fromEntries(values);
    },
    write(value) {
      const written = entries.flatMap(([key, { type, isRare, default: byDefault }]) => {
        const part = value[specKey(key, type)];
        if (part === null || (isRare && isDeepStrictEqual(part, byDefault))) return [];
        return [[key, type.write?.(part) ?? part]];
      });
      return Object.fromEntries(written);
    },
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, { type }]) => [key, type.schema])),
      patternProperties: Object.fromEntries(
        others.map(([name, key]) => [`^${name}$`, parts[key].type.schema]),
      ),
      additionalProperties: false,
    },
  };
}

/**
 * @param {ValueType} map
 * @param {Pick<ValueType, 'expected' | 'read' | 'typescript'> & {items: object}} how read: one of them; items: more of their schema
 * @returns {ValueType}
 */
export function listOf(map, { expected, read, typescript, items }) {
  return {
    expected,
    typescript,
    read(input) {
      if (!Array.isArray(input.value)) return input.reject(expected);
      return input.value.map((_, index) => read(input.child(index)));
    },
    write: (/** @type {unknown[]} */ value) => value.map((each) => map.write?.(each)),
    schema: { type: 'array', items: { ...map.schema, ...items } },
  };
}

/** @param {string} key @param {ValueType} type @returns {string} killTimeoutMs for kill_timeout */
export function specKey(key, { unit = '' }) {
  return camelCase(key) + unit;
}

/** @param {ConfigValue} input @param {Map<string, string>} keys by spelling @param {string[]} names of all keys */
function childrenByKey(input, keys, names) {
  /** @type {Map<string | undefined, ConfigValue>} */
  const given = new Map();
  for (const name of Object.keys(input.value)) {
    const child = input.child(name);
    if (keys.has(name)) given.set(keys.get(name), child);
    else {
      const meant = nearest(name, keys.keys());
      const advice = meant ? `did you mean ${meant}?` : `expected ${oneOf(names)}`;
      child.report(`no such key; ${advice}`, 'key');
    }
  }
  return given;
}
