/** Variables whose values are not in the ecosystem file: secrets. */
import { command, listOf, mapOf } from '../../config/types/lists.js';
import { duration, path as pathType, variableName } from '../../config/types/values.js';

/**
 * @import { ConfigValue } from '../../config/file/config-value.js'
 * @import { FeatureOptions } from '../options.js'
 * @import { VariableSource } from './record.js'
 */

/** A variable at its beginning is looked up at each start of a worker. */
const path = pathType('a path', (text) => text.replace(/^\$(?:\{\w+\}|\w+)/, ''));

const source = mapOf({
  file: { type: path, default: null, isRare: true },
  directory: { type: path, default: null, isRare: true },
  command: { type: command, default: null, isRare: true },
  as: { type: variableName, default: null, isRare: true },
  timeout: { type: duration({ min: 100, max: 60_000 }), default: 10_000, isRare: true },
});

const type = listOf(source, {
  expected: 'a list of sources, each a map of file and as, directory, or command',
  read: readSource,
  items: {
    oneOf: [
      { required: ['file', 'as'] },
      { required: ['directory'], not: { required: ['as'] } },
      { required: ['command'] },
    ],
  },
  typescript:
    'readonly { file?: string; directory?: string; command?: string | readonly (string | number | boolean)[]; as?: string; timeout?: number | string }[]',
});

/** @param {ConfigValue} input */
function readSource(input) {
  const problemsBefore = input.source.problems.length;
  /** @type {VariableSource | undefined} */
  const read = source.read(input);
  if (read === undefined || input.source.problems.length > problemsBefore) return undefined;
  const given = [read.file, read.directory, read.command].filter((each) => each !== null);
  if (given.length !== 1) return input.reject('either file, directory or command');
  if (read.file !== null && read.as === null) {
    return input.reject('file with as, the name of the variable');
  }
  if (read.directory !== null && read.as !== null) {
    return void input
      .child('as')
      .report('the variables of a directory are called as its files', 'key');
  }
  return read;
}

/** @type {FeatureOptions} */
export const envFrom = {
  group: 'Environment',
  options: [
    {
      key: 'env_from',
      type,
      default: [],
      needs: 'reload',
      description:
        'Where variables are read at each start of a worker, as the user of the app: they are never stored, a `reload` takes new values, and later sources override earlier ones and `env`. Each has `file` and `as` (the name of the variable), or `directory` (each file is a variable: `db-password` is `DB_PASSWORD`), or `command`, without a shell, which prints the value of `as`, or lines of `NAME=value`. Paths are relative to `cwd`; `$NAME` at their beginning is a variable of the app: `$CREDENTIALS_DIRECTORY`. A line break at the end of a value is removed. `timeout` (10s): the limit of one source. A variable has at most 128 KiB with its name, all together 1 MiB. See [secrets](../guides/secrets.md).',
    },
  ],
};
