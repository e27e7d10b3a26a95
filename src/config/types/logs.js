/** The types of log options. */
import { describeDateFormatFault } from '../../shared/log-files/date-format.js';
import { isObject } from '../../shared/checks.js';
import { ConfigValue } from '../file/config-value.js';
import { mapOf } from './map.js';
import { asString, boolean, integer, size, string } from './values.js';

/** @import { ValueType } from './values.js' */

/** A smaller file would hold less than one write. */
const MIN_FILE_BYTES = 64 * 1024;
const MAX_FILES = 10_000;

const path = string('the path of a file, or NULL');

/** @type {ValueType} PM2 files have NULL for no file */
export const file = {
  ...path,
  read(input) {
    if (typeof input.value === 'boolean') return input.reject(path.expected);
    return input.value === 'NULL' ? '/dev/null' : path.read(input);
  },
};

/** @type {ValueType} */
export const dateFormat = {
  expected: 'a format such as YYYY-MM-DD HH:mm:ss.SSS Z',
  read(input) {
    const format = asString(input);
    if (format === null) return input.reject(dateFormat.expected);
    const fault = describeDateFormatFault(format);
    return fault === null ? format : input.reject(dateFormat.expected, fault);
  },
  schema: { type: 'string', minLength: 1, maxLength: 64 },
};

const rotationMap = mapOf({
  max_size: {
    type: size({ min: MIN_FILE_BYTES }),
    default: 10 * 1024 ** 2,
  },
  // As in pm2-logrotate.
  keep: { type: integer({ max: MAX_FILES }), default: 10, aliases: ['retain'] },
  compress: { type: boolean, default: true },
});

/** @type {ValueType} null in the spec: no rotation */
export const rotation = {
  ...rotationMap,
  expected: `${rotationMap.expected}, or true or false`,
  read(input) {
    const { value, path: place, source } = input;
    if (value === false) return null;
    if (value === true) return rotationMap.read(new ConfigValue({}, place, source));
    return isObject(value) ? rotationMap.read(input) : input.reject(rotation.expected);
  },
  schema: { ...rotationMap.schema, type: ['object', 'boolean'] },
};
