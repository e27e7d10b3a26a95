/** The type of the option `instances`: a number, or the range of an app that scales itself. */
import { isObject } from '../../shared/checks.js';
import { ConfigValue } from '../file/config-value.js';
import { asInteger, duration, MAX_INSTANCES } from './values.js';

/**
 * @import { InstanceRange } from '../spec.js'
 * @import { ValueType } from './values.js'
 */

const NUMBER = `max, a number of instances (1 to ${MAX_INSTANCES}), 0 (same as max), -1 (all cores but one) or less`;
/** As on a command line; also `2..` for `2..max`. */
const RANGE = /^(-?\d+|max)\.\.(-?\d+|max)?$/;

/** @type {ValueType} 0 or less is relative to the cores, which the daemon counts */
const count = {
  expected: NUMBER,
  read: (input) => readCount(input.value) ?? input.reject(NUMBER),
  write: (value) => (value === 0 ? 'max' : value),
  schema: {
    type: ['integer', 'string'],
    minimum: -MAX_INSTANCES,
    maximum: MAX_INSTANCES,
    pattern: '^(max|-?[0-9]+)$',
  },
};

/** @type {ValueType} */
const share = {
  expected: 'a number above 0 and below 1, such as 0.8',
  read(input) {
    const value = typeof input.value === 'string' ? Number(input.value) : input.value;
    return value > 0 && value < 1 ? value : input.reject(share.expected);
  },
  schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
};

const cooldown = duration({ min: 1000 });

/** @type {Record<string, {type: ValueType, spec: keyof InstanceRange, default: number}>} by key in a file */
const PARTS = {
  min: { type: count, spec: 'min', default: 1 },
  max: { type: count, spec: 'max', default: 0 },
  elu: { type: share, spec: 'elu', default: 0.8 },
  cooldown: { type: cooldown, spec: 'cooldownMs', default: 300_000 },
};

/** @type {ValueType} */
export const instances = {
  expected: `${NUMBER}, or a map of min, max, elu and cooldown`,
  read(input) {
    const { value, path, source } = input;
    if (isObject(value)) return readRange(input);
    const [, min, max = 'max'] = RANGE.exec(String(value)) ?? [];
    if (min !== undefined) return readRange(new ConfigValue({ min, max }, path, source));
    return readCount(value) ?? input.reject(instances.expected);
  },
  write(/** @type {number | InstanceRange} */ value) {
    if (typeof value === 'number') return count.write?.(value);
    const { min, max, elu, cooldownMs } = value;
    return {
      min: count.write?.(min),
      max: count.write?.(max),
      elu,
      cooldown: cooldown.write?.(cooldownMs),
    };
  },
  schema: {
    ...count.schema,
    type: ['integer', 'string', 'object'],
    pattern: '^(max|-?[0-9]+|(-?[0-9]+|max)\\.\\.(-?[0-9]+|max)?)$',
    properties: Object.fromEntries(
      Object.entries(PARTS).map(([key, { type }]) => [key, type.schema]),
    ),
    additionalProperties: false,
  },
  typescript:
    "number | 'max' | `${number}` | `${number}..${number | 'max'}` | { min?: number | 'max'; max?: number | 'max'; elu?: number; cooldown?: number | string }",
};

/** @param {unknown} value */
function readCount(value) {
  const number = value === 'max' ? 0 : asInteger(value);
  return number !== null && Math.abs(number) <= MAX_INSTANCES ? number : null;
}

/** @param {ConfigValue} input a map */
function readRange(input) {
  const problemsBefore = input.source.problems.length;
  const keys = Object.keys(input.value);
  for (const key of keys.filter((key) => !Object.hasOwn(PARTS, key))) {
    input.child(key).report('expected min, max, elu or cooldown', 'key');
  }
  const values = Object.entries(PARTS).map(([key, { type, spec, default: byDefault }]) => [
    spec,
    keys.includes(key) ? type.read(input.child(key)) : byDefault,
  ]);
  if (input.source.problems.length > problemsBefore) return undefined;
  const range = /** @type {InstanceRange} */ (Object.fromEntries(values));
  const areComparable = range.min > 0 === range.max > 0;
  if (areComparable && range.min > range.max) input.report('min is larger than max');
  return range;
}

const EXPECTED = 'a whole number (0 or more), or a percentage such as 50%';

/** @type {ValueType} a number, or a string with the percentage */
export const countOrShare = {
  expected: EXPECTED,
  read(input) {
    const count = asInteger(input.value);
    if (count !== null) return count >= 0 ? count : input.reject(EXPECTED);
    const percentage = /^(\d{1,3})%$/.exec(String(input.value));
    return percentage && Number(percentage[1]) <= 100 ? input.value : input.reject(EXPECTED);
  },
  schema: { type: ['integer', 'string'], minimum: 0, pattern: '^([0-9]+|([0-9]{1,2}|100)%)$' },
  typescript: 'number | `${number}%`',
};
