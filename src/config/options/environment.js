/** What the program finds in its environment. */
import * as list from '../types/lists.js';

/** @import { Member } from './table.js' */

/** @type {Member[]} */
export const environment = [
  {
    key: 'env',
    spec: 'env',
    type: list.variables,
    default: {},
    needs: 'reload',
    description:
      'Environment variables, over those of the shell that started the app. Maps and lists are handed on as JSON; one without a value (null) is left out.',
    example: { NODE_ENV: 'production' },
    flag: { long: '--set-env', takes: 'NAME=value', repeatable: true },
  },
  {
    key: 'env_<name>',
    spec: null,
    type: list.variables,
    default: {},
    needs: 'reload',
    description: 'Variables that go over `env` when the command says `--env <name>`.',
    example: { NODE_ENV: 'staging' },
  },
  {
    key: 'env_file',
    spec: null,
    type: list.texts,
    default: [],
    needs: 'reload',
    description:
      'Files of `NAME=value` lines, relative to the ecosystem file; a later one wins. `env` goes over them.',
    example: '.env',
    flag: { takes: 'file', repeatable: true },
  },
];
