/** What runs. */
import * as list from '../types/lists.js';
import * as type from '../types/values.js';

/** @import { Member } from './table.js' */

/** @type {Member[]} */
export const program = [
  {
    key: 'name',
    spec: 'name',
    type: type.appName,
    default: null,
    defaultText: 'the name of the script without its extension',
    needs: 'restart',
    description:
      'What the app is called in every command. Two apps cannot have the same name, and an app with a new name is a new app.',
    example: 'api',
    flag: { short: '-n', takes: 'name' },
  },
  {
    key: 'namespace',
    spec: 'namespace',
    type: type.appName,
    default: 'default',
    needs: 'nothing',
    description:
      'A name for a group of apps, which commands take in place of the names of all of them.',
    example: 'shop',
    flag: { takes: 'name' },
  },
  {
    key: 'script',
    spec: 'script',
    type: type.text('the path of a program'),
    default: null,
    defaultText: 'none, it must be given',
    needs: 'reload',
    description:
      'The program: a file, looked for in `cwd` and then beside the ecosystem file, or a command in PATH. Symbolic links in it are followed anew at each reload.',
    example: './server.js',
    aliases: ['exec', 'cmd', 'command'],
  },
  {
    key: 'args',
    spec: 'args',
    type: list.words,
    default: [],
    needs: 'reload',
    description:
      'Arguments of the program: a list, or one text that is split at blanks (quotes are understood).',
    example: ['--port', '3000'],
  },
  {
    key: 'cwd',
    spec: 'cwd',
    type: type.text('the path of a directory'),
    default: null,
    defaultText: "the ecosystem file's directory, or the one where `start` was typed",
    needs: 'reload',
    description:
      'The working directory of the program. Symbolic links in it are followed anew at each reload.',
    example: './current',
    flag: { takes: 'directory' },
  },
  {
    key: 'interpreter',
    spec: 'interpreter',
    type: type.text('a command or the path of one'),
    default: null,
    defaultText:
      'by extension: Node for .js .mjs .cjs .ts .mts .cts, python3 .py, bash .sh, php .php, ruby .rb, perl .pl; else none',
    needs: 'restart',
    description:
      'The command that runs the script, or `none` when the script is a program itself. The path of another Node binary works in cluster mode too.',
    example: 'python3',
    aliases: ['exec_interpreter'],
    flag: { takes: 'command' },
  },
  {
    key: 'node_args',
    spec: 'nodeArgs',
    type: list.words,
    default: [],
    needs: 'reload',
    description: 'Arguments of Node, or of another interpreter, before the script.',
    example: ['--max-old-space-size=512'],
    aliases: ['interpreter_args'],
    flag: { takes: 'args' },
  },
];
