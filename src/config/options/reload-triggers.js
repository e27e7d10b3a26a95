/** What causes reloads without a command. */
import * as list from '../types/lists.js';
import * as type from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const reloadTriggers = [
  {
    key: 'cron_restart',
    type: type.cronPattern,
    description:
      'Reload the app (without downtime in cluster mode) at these times: a cron pattern of five fields, or six with seconds first, in local time.',
    example: '0 4 * * *',
    aliases: ['cron'],
    flag: { brief: 'reload at these times: "0 3 * * *"', short: '-c', takes: 'pattern' },
  },
  {
    key: 'watch',
    type: list.watchedPaths,
    default: false,
    description:
      'Reload the app (without downtime in cluster mode) when a file changes: in `cwd`, or in the paths that the ecosystem file lists. The flag takes no paths.',
    example: ['src', 'config'],
    flag: { brief: 'reload when a file in the working directory changes' },
  },
  {
    key: 'ignore_watch',
    type: list.strings,
    default: [],
    description:
      'Files and directories whose changes are ignored, as in a .gitignore relative to `cwd`: names at any depth (`*.log`), or paths (`public/uploads`, `tmp/**`). node_modules, .git, logs and the home directory of nodecluster are always ignored.',
    example: ['public/uploads', '*.log'],
    flag: { takes: 'path', repeatable: true },
  },
  {
    key: 'watch_delay',
    spec: 'watchDelayMs',
    type: type.duration(),
    default: '200ms',
    description: 'How long to wait for further changes before the reload.',
    example: '1s',
    flag: { takes: 'duration' },
  },
];
