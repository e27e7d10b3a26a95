/** What to run, as whom, and with which variables. */
import * as list from '../types/lists.js';
import * as type from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const program = [
  {
    key: 'name',
    type: type.appName,
    defaultText:
      'the name of the script without its extension; for index, app, server and main the name of the package or the directory; if apps of a file would have the same name, that of the directory of the script',
    needs: 'restart',
    description:
      'The name of the app in every command. In a file, a new name starts a second app beside the old one; `restart <app> --name <new>` renames: change the file too.',
    flag: {
      brief: 'name of the app (default: derived from the script)',
      short: '-n',
      takes: 'name',
    },
    pm2: [
      { keys: ['name_prefix'], advice: 'put the whole name into name, or group apps by namespace' },
      {
        keys: ['append_env_to_name'],
        advice: 'give each environment a file, in which apps have other names',
        isNeededByEnv: true,
      },
    ],
  },
  {
    key: 'namespace',
    type: type.appName,
    default: 'default',
    needs: 'configure',
    description:
      'The name of a group of apps. Commands accept it in place of the names of all of them.',
    flag: { takes: 'name' },
  },
  {
    key: 'script',
    // A shell may run a line with arguments.
    type: type.path('the path of a program', (line) => (/\S\s/.test(line) ? '' : line)),
    defaultText: 'none, it must be given',
    description:
      'The program: a file (looked up in `cwd`, then next to the ecosystem file), or a command with arguments (`npm start`). A Node program behind a command is found: see [commands](commands.md#commands-and-the-programs-behind-them). What only a shell understands runs in `sh`, in fork mode.',
    aliases: ['exec', 'cmd', 'command'],
  },
  {
    key: 'args',
    type: list.words,
    default: [],
    description: 'Arguments of the program. Quotes in a string are respected.',
  },
  {
    key: 'cwd',
    type: type.path('the path of a directory'),
    defaultText: 'the directory of the ecosystem file, or the one where `start` was typed',
    description:
      'The working directory of the program. Every reload resolves symbolic links in it, and in the path of `script`, again.',
    flag: { brief: 'working directory of the program', takes: 'directory' },
  },
  {
    key: 'interpreter',
    type: type.path('a command or the path of one'),
    defaultText:
      'by extension: Node for .js .mjs .cjs .ts .mts .cts, python3 for .py, bash for .sh, php for .php, ruby for .rb, perl for .pl, Node for any other file whose first line names it; otherwise none',
    description:
      'The command that runs the script, or `none` if the script is executable itself. The path of another Node binary works in cluster mode too.',
    aliases: ['exec_interpreter'],
    flag: { brief: 'command that runs the script; none: the script itself', takes: 'command' },
  },
  {
    key: 'node_args',
    type: list.words,
    default: [],
    description:
      'Arguments for Node, or for another interpreter, before the script. In cluster mode the inspector of worker n listens on the port of `--inspect` (9229 by default) plus n. Each reload changes between that port and one higher by the number of workers: of four, worker 0 is on 9229 and 9233 in turn.',
    aliases: ['interpreter_args'],
    flag: { brief: 'arguments for Node, before the script', takes: 'args' },
    pm2: [{ flags: '--interpreter-args <args>' }],
  },
  {
    key: 'source_maps',
    type: type.boolean,
    defaultText: 'on where the script has a `.map` file beside it',
    description:
      'Whether stack traces name the lines of the sources that the program was compiled from, such as TypeScript (`--enable-source-maps` of Node).',
    aliases: ['source_map_support'],
    flag: {
      help: 'Name the lines of the sources, such as TypeScript, in stack traces (--enable-source-maps of Node). Default: where the script has a .map file beside it.',
    },
    pm2: [
      { flags: '--source-map-support' },
      { flags: '--disable-source-map-support', value: false },
      { keys: ['disable_source_map_support'], advice: 'set source_maps: false' },
    ],
  },
];

/** @type {GroupOption[]} */
export const environment = [
  {
    key: 'env',
    type: list.variables,
    default: {},
    description:
      'Environment variables. Maps and lists are passed as JSON; a variable without a value (null) is left out.',
    flag: {
      brief: 'environment variable; NAME- removes it; can be given several times',
      help: 'Environment variable of the app; NAME- removes it. May be given several times.',
      long: '--set-env',
      takes: 'NAME=value',
      repeatable: true,
    },
    pm2: [
      {
        keys: ['filter_env'],
        flags: '--filter-env [names]',
        advice: "give unwanted variables an empty value: `--set-env NAME=`, or `env: {NAME: ''}`",
      },
    ],
  },
  {
    key: 'port',
    spec: null,
    type: type.integer({ max: 65_535 }),
    description:
      'The variable `PORT`, as if `env` set it: the program must read it. With `increment_var: PORT` each worker has its own port, from this one.',
  },
  {
    key: 'env_<name>',
    spec: null,
    type: list.variables,
    default: {},
    description: 'Variables that override `env` when the command has `--env <name>`.',
  },
  {
    key: 'env_file',
    spec: null,
    type: list.paths(),
    default: [],
    description:
      'Files of `NAME=value` lines, relative to the ecosystem file. Later files override earlier ones. A value in single or double quotes or in backticks may span lines and contain `#`, which otherwise begins a comment; `\\n` in double quotes is a line break. `export` before a name is ignored. `$A` is not expanded. Node 20 reads the file of `--env-file` too, and fails with `not found` if it does not exist.',
    flag: {
      brief: 'file of NAME=value lines; can be given several times',
      takes: 'file',
      repeatable: true,
    },
  },
];

/** @type {GroupOption[]} */
export const privileges = [
  {
    key: 'uid',
    type: type.account('user'),
    defaultText: 'your own',
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
    description: 'The group that the app runs as, the only one that it has. Only root can set it.',
    flag: { takes: 'group' },
  },
  {
    key: 'privileged_ports',
    type: list.privilegedPorts,
    default: [],
    inForkMode: ', where workers open ports by themselves',
    isOfCluster: true,
    description:
      'Ports below 1024 that an app with `uid` may listen on. The daemon opens them as root. `80` is port 80 of every address; a program that listens on one address needs that too, as in `127.0.0.1:80`.',
    flag: { takes: 'ports' },
  },
];
