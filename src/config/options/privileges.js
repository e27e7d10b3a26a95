/** The accounts that the workers run as. */
import * as type from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const privileges = [
  {
    key: 'uid',
    type: type.account('user'),
    defaultText: 'your own',
    needs: 'reload',
    description: 'The user that the workers run as. Only root can set it.',
    example: 'nobody',
    aliases: ['user'],
    flag: { takes: 'user' },
  },
  {
    key: 'gid',
    type: type.account('group'),
    defaultText: 'the primary group of `uid`, or your own',
    needs: 'reload',
    description: 'The group that the workers run as. Only root can set it.',
    example: 'daemon',
    flag: { takes: 'group' },
  },
];
