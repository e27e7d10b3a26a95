/** The environment variables of the program. */
import * as list from '../types/lists.js';
import { integer } from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const environment = [
  {
    key: 'env',
    type: list.variables,
    default: {},
    needs: 'reload',
    description:
      'Environment variables, on top of those of the shell that started the app. Maps and lists are passed as JSON; a variable without a value (null) is left out.',
    example: { NODE_ENV: 'production' },
    flag: {
      brief: 'environment variable; can be given several times',
      long: '--set-env',
      takes: 'NAME=value',
      repeatable: true,
    },
  },
  {
    key: 'port',
    spec: null,
    type: integer({ max: 65_535 }),
    needs: 'reload',
    description:
      'The variable `PORT`, as if `env` set it. With `increment_var: PORT` each worker has its own port, from this one.',
    example: 3000,
  },
  {
    key: 'env_<name>',
    spec: null,
    type: list.variables,
    default: {},
    needs: 'reload',
    description: 'Variables that override `env` when the command has `--env <name>`.',
    example: { NODE_ENV: 'staging' },
  },
  {
    key: 'env_file',
    spec: null,
    type: list.strings,
    default: [],
    needs: 'reload',
    description:
      'Files of `NAME=value` lines, relative to the ecosystem file. Later files override earlier ones, and `env` overrides them all.',
    example: '.env',
    flag: {
      brief: 'file of NAME=value lines; can be given several times',
      takes: 'file',
      repeatable: true,
    },
  },
];
