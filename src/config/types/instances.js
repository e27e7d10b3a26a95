/** The type of the option `instances`: a number, or the range of an app that scales itself. */
import { isObject } from '../../shared/checks.js';
import { ConfigValue } from '../file/config-value.js';
import { mapOf } from './map.js';
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

const range = mapOf({
  min: { type: count, default: 1 },
  max: { type: count, default: 0 },
  elu: { type: share, default: 0.8 },
  cooldown: { type: duration({ min: 1000 }), default: 300_000 },
});

/** @type {ValueType} */
export const instances = {
  expected: `${NUMBER}, or ${range.expected}`,
  read(input) {
    const { value, path, source } = input;
    if (isObject(value)) return readRange(input);
    const [, min, max = 'max'] = RANGE.exec(String(value)) ?? [];
    if (min !== undefined) return readRange(new ConfigValue({ min, max }, path, source));
    return readCount(value) ?? input.reject(instances.expected);
  },
  write(/** @type {number | InstanceRange} */ value) {
    return (typeof value === 'number' ? count : range).write?.(value);
  },
  schema: {
    ...count.schema,
    ...range.schema,
    type: ['integer', 'string', 'object'],
    pattern: '^(max|-?[0-9]+|(-?[0-9]+|max)\\.\\.(-?[0-9]+|max)?)$',
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
  /** @type {InstanceRange | undefined} */
  const read = range.read(input);
  if (read === undefined) return undefined;
  const areComparable = read.min > 0 === read.max > 0;
  if (areComparable && read.min > read.max) input.report('min is larger than max');
  return read;
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
