/** The types of lists and maps. */
import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { attempt } from '../../errors/error.js';
import { ConfigValue } from '../file/config-value.js';
import { asInteger, asString, choice, oneOf, readPath } from './values.js';
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

/** @type {ValueType} */
export const words = {
  expected: 'a list of strings, or one string split at spaces',
  read(input) {
    if (Array.isArray(input.value)) return readItems(input, strings.expected);
    const whole = asString(input, { allowEmpty: true });
    const parts = whole === null ? null : splitWords(whole);
    return parts ?? input.reject(words.expected, whole === null ? '' : 'a quote is not closed');
  },
  schema: STRINGS_SCHEMA,
  typescript: 'string | readonly (string | number | boolean)[]',
};

/** @type {ValueType} */
export const strings = {
  expected: 'a string or a list of strings',
  read(input) {
    if (Array.isArray(input.value)) return readItems(input, 'a string');
    const one = asString(input);
    return one === null ? input.reject(strings.expected) : [one];
  },
  schema: STRINGS_SCHEMA,
  typescript: 'string | readonly string[]',
};

/** @param {(text: string) => string} [toCheck] as for a path @returns {ValueType} */
export const paths = (toCheck) => ({
  ...strings,
  read(input) {
    const list = strings.read(input);
    return list?.map((/** @type {string} */ each) => readPath(input, each, toCheck));
  },
});

/** @type {ValueType} */
export const command = {
  ...words,
  expected: 'a command with its arguments: a list of strings, or one string split at spaces',
  read(input) {
    const parts = words.read(input);
    if (parts === undefined) return undefined;
    if (parts.length === 0 || parts[0] === '') return input.reject(command.expected);
    const program = readPath(input, parts[0]);
    return program && [program, ...parts.slice(1)];
  },
};

/** @type {ValueType} */
export const exitCodes = {
  expected: 'a list of exit codes (0 to 255)',
  read(input) {
    const { value } = input;
    const list = typeof value === 'string' ? value.split(/[\s,]+/) : [value].flat();
    const codes = list.map(asInteger);
    const areValid = codes.every((code) => code !== null && code >= 0 && code <= 255);
    return areValid ? codes : input.reject(exitCodes.expected);
  },
  schema: {
    type: ['array', 'integer', 'string'],
    items: { type: 'integer', minimum: 0, maximum: 255 },
    minimum: 0,
    maximum: 255,
    pattern: '^[0-9]+([ ,]+[0-9]+)*$',
  },
};

const PRIVILEGED_PORT = '^(([0-9.]+|\\[[0-9a-fA-F:.]+\\]):)?([0-9]{1,3}|10[01][0-9]|102[0-3])$';

/** @type {ValueType} in the spec: `80`, `127.0.0.1:80` or `[::1]:80` */
export const privilegedPorts = {
  expected: 'ports below 1024, such as 80 or 127.0.0.1:80',
  read(input) {
    const { value } = input;
    const list = typeof value === 'string' ? value.split(/[\s,]+/) : [value].flat();
    const faulty = list.findIndex((each) => !isPrivilegedPort(each));
    if (faulty === -1) return [...new Set(list.map(String))];
    new ConfigValue(list[faulty], input.path, input.source).reject(privilegedPorts.expected);
  },
  schema: {
    type: ['array', 'integer', 'string'],
    items: { type: ['integer', 'string'], minimum: 1, maximum: 1023, pattern: PRIVILEGED_PORT },
    minimum: 1,
    maximum: 1023,
    minLength: 1,
  },
  typescript: 'string | number | readonly (string | number)[]',
};

/** @param {unknown} value */
function isPrivilegedPort(value) {
  const [, , address, port] = new RegExp(PRIVILEGED_PORT).exec(String(value)) ?? [];
  return Number(port) > 0 && (!address || isIP(address.replace(/[[\]]/g, '')) > 0);
}

/** @type {ValueType} */
export const watchedPaths = {
  expected: 'true, false, a path, or a list of paths',
  read(input) {
    const { value } = input;
    if (typeof value === 'boolean') return value;
    // In YAML 1.2 yes and no are strings: a mistake, not a path.
    if (typeof value === 'string' && /^(yes|no|on|off|true|false)$/i.test(value)) {
      return input.reject('true or false');
    }
    return Array.isArray(value) || asString(input) !== null
      ? paths().read(input)
      : input.reject(watchedPaths.expected);
  },
  schema: {
    type: ['boolean', 'string', 'array'],
    minLength: 1,
    not: { type: 'string', pattern: '^([Yy]es|[Nn]o|[Oo]n|[Oo]ff|[Tt]rue|[Ff]alse)$' },
    items: { type: 'string' },
  },
};

/** @type {ValueType} */
export const variables = {
  expected: 'a map of variables',
  read(input) {
    if (!isObject(input.value)) return input.reject(variables.expected);
    const names = Object.keys(input.value);
    const pairs = names.map((name) => [name, readVariable(input.child(name), name)]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  },
  schema: {
    type: 'object',
    propertyNames: { pattern: '^[^=]+$' },
    additionalProperties: {
      type: ['string', 'number', 'boolean', 'object', 'array', 'null'],
    },
  },
  typescript: 'Record<string, string | number | boolean | object | null | undefined>',
};

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

/** `depends_on`: apps, and what each must have done. @type {ValueType} conditions by app in the spec */
export const dependencies = {
  expected: 'the name of an app, a list of names, or a map of names to ready, started or exited',
  read(input) {
    if (isObject(input.value)) {
      const names = Object.keys(input.value);
      return Object.fromEntries(names.map((name) => [name, condition.read(input.child(name))]));
    }
    const isList = Array.isArray(input.value) || typeof input.value === 'string';
    if (!isList) return input.reject(dependencies.expected);
    return Object.fromEntries(
      (strings.read(input) ?? []).map((/** @type {string} */ name) => [name, 'ready']),
    );
  },
  write(/** @type {Record<string, Condition>} */ value) {
    const areReady = Object.values(value).every((each) => each === 'ready');
    return areReady ? Object.keys(value) : value;
  },
  schema: {
    type: ['array', 'string', 'object'],
    items: { type: ['string', 'number'] },
    additionalProperties: { enum: condition.values },
  },
  typescript: "string | readonly string[] | Record<string, 'ready' | 'started' | 'exited'>",
};

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
        if (isRare && isDeepStrictEqual(part, byDefault)) return [];
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
