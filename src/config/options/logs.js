/** Where output goes, and how it looks there. */
import { TOKENS_TEXT } from '../../shared/log-files/date-format.js';
import * as logType from '../types/logs.js';
import * as type from '../types/values.js';

/** @import { Member } from './table.js' */

/** @type {Member[]} */
export const logs = [
  {
    key: 'out_file',
    spec: 'outFile',
    type: logType.file,
    default: null,
    defaultText: '`<name>-out.log` in the directory `logs` of the home directory',
    needs: 'nothing',
    description:
      'The file for what the workers write to stdout, relative to `cwd`; missing directories are made. `/dev/null` keeps nothing.',
    example: './logs/out.log',
    aliases: ['out', 'output', 'out_log'],
    flag: { short: '-o', long: '--output', takes: 'file' },
  },
  {
    key: 'error_file',
    spec: 'errorFile',
    type: logType.file,
    default: null,
    defaultText: '`<name>-error.log` in the directory `logs` of the home directory',
    needs: 'nothing',
    description: 'The same for stderr.',
    example: './logs/error.log',
    aliases: ['error', 'err', 'err_file', 'err_log'],
    flag: { short: '-e', long: '--error', takes: 'file' },
  },
  {
    key: 'log_file',
    spec: 'logFile',
    type: logType.file,
    default: null,
    needs: 'nothing',
    description:
      'One file for both, in the order in which they come. A stream then has a file of its own only when `out_file` or `error_file` names one.',
    example: './logs/all.log',
    aliases: ['log'],
    flag: { short: '-l', long: '--log', takes: 'file' },
  },
  {
    key: 'merge_logs',
    spec: 'mergeLogs',
    type: type.boolean,
    default: true,
    needs: 'nothing',
    description:
      'Whether all workers write to the same files. With `false` each has its own: `<name>-<number>-out.log`, and `out-<number>.log` where `out_file` is `out.log`.',
    example: false,
    aliases: ['combine_logs'],
    flag: { negated: true },
  },
  {
    key: 'log_type',
    spec: 'logType',
    type: type.choice(['text', 'raw', 'json']),
    default: 'text',
    needs: 'nothing',
    description:
      'What a line looks like. `text`: `<time> <name>:<number> | <message>`. `json`: an object with `time`, `app`, `worker`, `stream` and `message`. `raw`: as the program writes it.',
    example: 'json',
    flag: { takes: 'type' },
  },
  {
    key: 'time',
    spec: 'time',
    type: type.boolean,
    default: true,
    needs: 'nothing',
    description: 'Whether lines of `text` begin with their time.',
    example: false,
    flag: { negated: true },
  },
  {
    key: 'log_date_format',
    spec: 'logDateFormat',
    type: logType.dateFormat,
    default: null,
    defaultText: 'ISO 8601 in UTC with milliseconds',
    needs: 'nothing',
    description: `The time of \`text\` and \`json\` lines, in local time: of ${TOKENS_TEXT}, with other letters in [brackets].`,
    example: 'YYYY-MM-DD HH:mm:ss.SSS Z',
    flag: { takes: 'format' },
  },
  {
    key: 'log_rotate',
    spec: 'logRotate',
    type: logType.rotation,
    default: { max_size: '10M', keep: 10, compress: true },
    defaultText: '`{max_size: 10M, keep: 10, compress: true}`',
    needs: 'nothing',
    description:
      'A log file that would grow beyond `max_size` is moved away at the end of a line, to `<file>.<number>`; the newest `keep` of them stay, with `compress` as `.gz`. `false` lets it grow.',
    example: { max_size: '50M', keep: 5 },
    flag: {
      negated: true,
      help: 'Let log files grow; without this they are rotated at 10M and 10 of them are kept.',
    },
  },
];
