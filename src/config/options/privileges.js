/** As whom the workers run. */
import * as type from '../types/values.js';

/** @import { Member } from './table.js' */

/** @type {Member[]} */
export const privileges = [
  {
    key: 'uid',
    spec: 'uid',
    type: type.account('user'),
    default: null,
    defaultText: 'yours',
    needs: 'reload',
    description: 'The user that the workers run as. Only root can set it.',
    example: 'nobody',
    aliases: ['user'],
    flag: { takes: 'user' },
  },
  {
    key: 'gid',
    spec: 'gid',
    type: type.account('group'),
    default: null,
    defaultText: 'the first group of `uid`, or yours',
    needs: 'reload',
    description: 'The group that the workers run as. Only root can set it.',
    example: 'daemon',
    flag: { takes: 'group' },
  },
];
