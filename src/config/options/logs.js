/** Where output goes, and its format there. */
import { isObject } from '../../shared/checks.js';
import { describeDateFormatFault, TOKENS_TEXT } from '../../shared/log-files/date-format.js';
import { ConfigValue } from '../file/config-value.js';
import { mapOf } from '../types/lists.js';
import * as type from '../types/values.js';

/**
 * @import { GroupOption } from './option.js'
 * @import { ValueType } from '../types/values.js'
 */

const path = type.path('the path of a file, or NULL');

/** @type {ValueType} PM2 files have NULL for no file */
const file = {
  ...path,
  read(input) {
    if (typeof input.value === 'boolean') return input.reject(path.expected);
    return input.value === 'NULL' ? '/dev/null' : path.read(input);
  },
};

export const dateFormat = type.typeOf(
  'a format such as YYYY-MM-DD HH:mm:ss.SSS Z',
  { type: 'string', minLength: 1, maxLength: 64 },
  (input) => {
    const format = type.asString(input);
    if (format === null) return undefined;
    const fault = describeDateFormatFault(format);
    return fault === null ? format : input.reject(dateFormat.expected, fault);
  },
);

/** @type {ValueType} */
const rotationTimes = {
  ...type.cronPattern,
  expected: `daily or ${type.cronPattern.expected}`,
  read(input) {
    if (input.value === 'daily') return '0 0 * * *';
    return input.value === null ? null : type.cronPattern.read(input);
  },
};

const rotationMap = mapOf({
  // A smaller file would hold less than one write.
  max_size: { type: type.size({ min: 64 * 1024 }), default: 10 * 1024 ** 2 },
  rotate: { type: rotationTimes, default: null },
  // As in pm2-logrotate.
  keep: { type: type.integer({ max: 10_000 }), default: 10, aliases: ['retain'] },
  compress: { type: type.boolean, default: true },
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

/** @type {GroupOption[]} */
export const logs = [
  {
    key: 'out_file',
    type: file,
    defaultText: '`logs/<name>-out.log` in the home directory',
    description:
      'The file for the stdout of the workers, relative to `cwd`. Missing directories are created. `/dev/null` or `"NULL"` discards the output.',
    aliases: ['out', 'output', 'out_log'],
    flag: { brief: 'file for stdout', short: '-o', long: '--output', takes: 'file' },
  },
  {
    key: 'error_file',
    type: file,
    defaultText: '`logs/<name>-error.log` in the home directory',
    description: 'The file for the stderr of the workers, as `out_file`.',
    aliases: ['error', 'err', 'err_file', 'err_log'],
    flag: { brief: 'file for stderr', short: '-e', long: '--error', takes: 'file' },
  },
  {
    key: 'log_file',
    type: file,
    description:
      'One file for both streams, in the order of their lines. A stream then has its own file only if `out_file` or `error_file` names one.',
    aliases: ['log'],
    flag: { short: '-l', long: '--log', takes: 'file' },
  },
  {
    key: 'disable_logs',
    spec: null,
    type: type.boolean,
    default: false,
    description:
      'Whether all output is discarded, as with `/dev/null` for `out_file` and `error_file`.',
    flag: { help: 'Discard all output, as with --output /dev/null --error /dev/null.' },
  },
  {
    key: 'merge_logs',
    type: type.boolean,
    default: true,
    description:
      'Whether all workers write to the same files. With `false`, each worker has its own: `<name>-<number>-out.log`, or `out-<number>.log` if `out_file` is `out.log`.',
    aliases: ['combine_logs'],
    flag: {
      help: 'Give each worker its own log files. Default: all workers write to the same files.',
    },
    pm2: [{ flags: '--merge-logs' }, { flags: '--combine-logs' }],
  },
  {
    key: 'log_type',
    type: type.choice(['text', 'raw', 'json']),
    default: 'text',
    description:
      'The format of a line. `text`: `<time> <name>:<number> | <message>`. `json`: an object with `time`, `app`, `worker`, `stream` and `message`. `raw`: as the program writes it.',
    flag: { takes: 'type' },
  },
  {
    key: 'time',
    type: type.boolean,
    default: true,
    description: 'Whether `text` lines start with their time.',
    flag: { help: 'Write log lines without their time. Default: they start with it.' },
    pm2: [{ flags: '--time' }],
  },
  {
    key: 'log_date_format',
    type: dateFormat,
    defaultText: 'ISO 8601 in UTC with milliseconds',
    description: `The format of the time in \`text\` and \`json\` lines, in local time: made of ${TOKENS_TEXT}, with other letters in [brackets].`,
    flag: { takes: 'format' },
  },
  {
    key: 'log_rotate',
    type: rotation,
    default: { max_size: '10M', keep: 10, compress: true },
    defaultText: '`{max_size: 10M, keep: 10, compress: true}`',
    description:
      'A log file that would grow beyond `max_size` (64K or more) is renamed at the end of a line, to `<file>.<number>`; with `rotate: daily`, or a cron pattern, at these times too, and the name ends with the day of its last line. The newest `keep` of them stay, with `compress` as `.gz`. `false` turns rotation off.',
    flag: {
      help: 'Let log files grow without limit. Default: they are rotated at 10M, and 10 of them are kept.',
    },
  },
];
