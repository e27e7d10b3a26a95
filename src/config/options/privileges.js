/** The accounts that apps run as, and what else they may do. */
import * as list from '../types/lists.js';
import * as type from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const privileges = [
  {
    key: 'uid',
    type: type.account('user'),
    defaultText: 'your own',
    needs: 'restart',
    description:
      'The user that the app runs as. Only root can set it. The workers and the primary get nothing of root: neither its variables nor its files nor its ports.',
    aliases: ['user'],
    flag: { takes: 'user' },
    pm2: [{ flags: '-u, --user <user>' }, { keys: ['username'], note: 'uid and gid count' }],
  },
  {
    key: 'gid',
    type: type.account('group'),
    defaultText: 'the primary group of `uid`, or your own',
    needs: 'restart',
    description: 'The group that the app runs as, the only one that it has. Only root can set it.',
    flag: { takes: 'group' },
  },
  {
    key: 'privileged_ports',
    type: list.privilegedPorts,
    default: [],
    needs: 'restart',
    description:
      'Ports below 1024 that an app with `uid` may listen on. The daemon opens them as root. `80` is port 80 of every address; a program that listens on one address needs that too, as in `127.0.0.1:80`.',
    flag: { takes: 'ports' },
  },
];
