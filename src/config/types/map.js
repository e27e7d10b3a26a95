/** Maps with keys of their own, as the values of options. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../shared/checks.js';
import { camelCase, nearest, spellingsOf } from '../spelling.js';
import { oneOf } from './values.js';

/**
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { ValueType } from './values.js'
 *
 * @typedef {object} Part
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
