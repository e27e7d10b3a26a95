/** What options of logs take. */
import { describeDateFormatFault } from '../../shared/log-files/date-format.js';
import { asText } from './scalars.js';
import { boolean, integer, size, text } from './values.js';

/**
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { ValueType } from './values.js'
 */

/** Files smaller than this would hold less than what is written at a time. */
const MIN_FILE_BYTES = 64 * 1024;
const MAX_FILES = 10_000;

export const file = text('the path of a file');

/** @type {ValueType} */
export const dateFormat = {
  expected: 'a format such as YYYY-MM-DD HH:mm:ss.SSS Z',
  read(input) {
    const format = asText(input);
    if (format === null) return input.reject(dateFormat.expected);
    const fault = describeDateFormatFault(format);
    return fault === null ? format : input.reject(dateFormat.expected, fault);
  },
  write: (format) => format,
  schema: { type: 'string', minLength: 1, maxLength: 64 },
};

const maxSize = size({ min: MIN_FILE_BYTES });
const keep = integer({ max: MAX_FILES });

/** @type {Record<string, {type: ValueType, spec: string, default: unknown}>} by key in a file */
const ROTATION = {
  max_size: { type: maxSize, spec: 'maxSizeBytes', default: 10 * 1024 ** 2 },
  keep: { type: keep, spec: 'keep', default: 10 },
  compress: { type: boolean, spec: 'compress', default: true },
};
/** Spellings of files of JavaScript, and of pm2-logrotate. */
const OTHER_KEYS = new Map([
  ['maxSize', 'max_size'],
  ['max-size', 'max_size'],
  ['retain', 'keep'],
]);

/** @type {ValueType} null in the spec: no rotation */
export const rotation = {
  expected: 'a map of max_size, keep and compress, or true or false',
  read(input) {
    if (input.value === false) return null;
    const isMap = typeof input.value === 'object' && !Array.isArray(input.value);
    if (!isMap && input.value !== true) return input.reject(rotation.expected);
    const values = Object.fromEntries(
      Object.values(ROTATION).map((part) => [part.spec, part.default]),
    );
    for (const key of isMap ? Object.keys(input.value) : []) {
      const child = input.child(key);
      const part = ROTATION[OTHER_KEYS.get(key) ?? key];
      if (part) values[part.spec] = part.type.read(child);
      else child.report('expected max_size, keep or compress', 'key');
    }
    return values;
  },
  write(value) {
    return Object.fromEntries(
      Object.entries(ROTATION).map(([key, { type, spec }]) => [key, type.write(value[spec])]),
    );
  },
  schema: {
    type: ['object', 'boolean'],
    properties: Object.fromEntries(
      Object.entries(ROTATION).map(([key, { type }]) => [key, type.schema]),
    ),
    patternProperties: {
      '^(maxSize|max-size)$': maxSize.schema,
      '^retain$': keep.schema,
    },
    additionalProperties: false,
  },
};
