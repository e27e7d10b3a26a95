/** The types of log options. */
import { describeDateFormatFault } from '../../shared/log-files/date-format.js';
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

const maxSize = size({ min: MIN_FILE_BYTES });
const keep = integer({ max: MAX_FILES });

/** @type {Record<string, {type: ValueType, spec: string, default: unknown}>} by key in a file */
const ROTATION = {
  max_size: { type: maxSize, spec: 'maxSizeBytes', default: 10 * 1024 ** 2 },
  keep: { type: keep, spec: 'keep', default: 10 },
  compress: { type: boolean, spec: 'compress', default: true },
};
/** Spellings of JavaScript files, and of pm2-logrotate. */
const ALIASES = new Map([
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
    const parts = Object.values(ROTATION);
    const values = Object.fromEntries(parts.map((part) => [part.spec, part.default]));
    for (const key of isMap ? Object.keys(input.value) : []) {
      const child = input.child(key);
      const name = ALIASES.get(key) ?? key;
      const part = Object.hasOwn(ROTATION, name) ? ROTATION[name] : null;
      if (part) values[part.spec] = part.type.read(child);
      else child.report('expected max_size, keep or compress', 'key');
    }
    return values;
  },
  write: ({ maxSizeBytes, ...others }) => ({ max_size: maxSize.write?.(maxSizeBytes), ...others }),
  schema: {
    type: ['object', 'boolean'],
    properties: { max_size: maxSize.schema, keep: keep.schema, compress: boolean.schema },
    patternProperties: {
      '^(maxSize|max-size)$': maxSize.schema,
      '^retain$': keep.schema,
    },
    additionalProperties: false,
  },
};
