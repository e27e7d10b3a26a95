/** When an app is reloaded without a command. */
import * as list from '../types/lists.js';
import * as type from '../types/values.js';

/** @import { Member } from './table.js' */

/** @type {Member[]} */
export const reloadTriggers = [
  {
    key: 'cron_restart',
    spec: 'cronRestart',
    type: type.cronPattern,
    default: null,
    needs: 'nothing',
    description:
      'Reload the app (without downtime in cluster mode) at these times: a cron pattern of five fields, or six with seconds first, in local time.',
    example: '0 4 * * *',
    aliases: ['cron'],
    flag: { short: '-c', takes: 'pattern' },
  },
  {
    key: 'watch',
    spec: 'watch',
    type: list.watched,
    default: false,
    needs: 'nothing',
    description:
      'Reload the app (without downtime in cluster mode) when a file changes: in `cwd`, or in the paths given in the ecosystem file; the flag is a switch. node_modules, .git and logs are never watched.',
    example: ['src', 'config'],
    flag: {},
  },
  {
    key: 'ignore_watch',
    spec: 'ignoreWatch',
    type: list.texts,
    default: [],
    needs: 'nothing',
    description:
      'Paths (relative to `cwd`), names or patterns (`*.log`, `tmp/**`) of files and directories whose changes do not count.',
    example: ['public/uploads', '*.log'],
    flag: { takes: 'path', repeatable: true },
  },
  {
    key: 'watch_delay',
    spec: 'watchDelayMs',
    type: type.duration(),
    default: '200ms',
    needs: 'nothing',
    description: 'How long to wait for further changes before the reload.',
    example: '1s',
    flag: { takes: 'duration' },
  },
];
