/** The accounts that apps run as. */
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
      'The user that the app runs as. Only root can set it. The workers and their supervisor get nothing of root: neither its variables nor its files nor its ports.',
    example: 'nobody',
    aliases: ['user'],
    flag: { takes: 'user' },
  },
  {
    key: 'gid',
    type: type.account('group'),
    defaultText: 'the primary group of `uid`, or your own',
    needs: 'restart',
    description: 'The group that the app runs as, the only one that it has. Only root can set it.',
    example: 'daemon',
    flag: { takes: 'group' },
  },
];
