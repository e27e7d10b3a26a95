/**
 * The one table of what can be said about an app. Validation, the flags of `start`, `--help`,
 * docs/configuration.md, the JSON Schema and the comparison of two specs all read it. An option is
 * declared here when its behaviour exists, never before.
 */
import { TOKENS_TEXT } from '../shared/date-format.js';
import * as list from './list-types.js';
import * as logType from './log-types.js';
import * as type from './value-types.js';

/**
 * What a change of an option needs before it holds: nothing, more or fewer workers, new workers
 * one after another (no downtime), or a new primary process (downtime).
 * @typedef {'nothing'|'scale'|'reload'|'restart'} Needs
 */
/**
 * @typedef {object} Flag
 * @property {string} [short] `-i`
 * @property {string} [long] where it is not the key with dashes
 * @property {string} [takes] name of the argument; without it the flag is a switch
 * @property {true} [repeatable]
 * @property {true} [negated] the switch is `--no-…`
 * @property {string} [help] where the description does not fit a flag; it says the default too
 */
/**
 * @typedef {object} Option
 * @property {string} key as in a file; `killTimeout` and `kill-timeout` are understood too
 * @property {string|null} spec its key in a Spec; null when it only helps to make another
 * @property {string} group heading in the documentation
 * @property {import('./value-types.js').ValueType} type
 * @property {unknown} default as a file would have it; null for none
 * @property {string} [defaultText] where the default is found out
 * @property {Needs} needs
 * @property {string} description
 * @property {unknown} example
 * @property {string[]} [aliases] other keys of PM2 for the same
 * @property {Flag} [flag] none: not a flag of `start`
 */

/** @type {Omit<Option, 'group'>[]} */
const program = [
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
    type: type.text('the path of a folder'),
    default: null,
    defaultText: "the ecosystem file's folder, or the one where `start` was typed",
    needs: 'reload',
    description:
      'The working folder of the program. Symbolic links in it are followed anew at each reload.',
    example: './current',
    flag: { takes: 'folder' },
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

/** @type {Omit<Option, 'group'>[]} */
const instances = [
  {
    key: 'instances',
    spec: 'instances',
    type: type.instances,
    default: 1,
    needs: 'scale',
    description:
      'How many processes run the program. `max` or `0` is one for each core, `-1` all cores but one.',
    example: 'max',
    flag: { short: '-i', takes: 'number' },
  },
  {
    key: 'exec_mode',
    spec: 'execMode',
    type: type.choice(['cluster', 'fork'], { cluster_mode: 'cluster', fork_mode: 'fork' }),
    default: null,
    defaultText: '`cluster` for what Node runs, else `fork`',
    needs: 'restart',
    description:
      'How it runs. `cluster`: the processes share their ports and are replaced without a lost request. `fork`: plain processes, for anything else; a reload ends each before its successor starts.',
    example: 'cluster',
    flag: { takes: 'mode' },
  },
  {
    key: 'scheduling',
    spec: 'scheduling',
    type: type.choice(['round-robin', 'shared']),
    default: 'round-robin',
    needs: 'restart',
    description:
      'How connections reach the workers of a cluster. `round-robin` spreads them evenly; `shared` lets the workers accept by themselves, which costs less per connection and spreads them unevenly.',
    example: 'shared',
    flag: { takes: 'policy' },
  },
  {
    key: 'instance_var',
    spec: 'instanceVar',
    type: type.variableName,
    default: 'NODE_APP_INSTANCE',
    needs: 'reload',
    description: 'The environment variable that tells a worker its number, from 0.',
    example: 'WORKER_NUMBER',
    flag: { takes: 'variable' },
  },
  {
    key: 'increment_var',
    spec: 'incrementVar',
    type: type.variableName,
    default: null,
    needs: 'reload',
    description:
      "An environment variable with a whole number, to which each worker's number is added: with `PORT` every process gets its own port.",
    example: 'PORT',
    flag: { takes: 'variable' },
  },
];

/** @type {Omit<Option, 'group'>[]} */
const environment = [
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

/** @type {Omit<Option, 'group'>[]} */
const restarts = [
  {
    key: 'autorestart',
    spec: 'autorestart',
    type: type.boolean,
    default: true,
    needs: 'nothing',
    description: 'Whether a process that ends is started again.',
    example: false,
    flag: {
      negated: true,
      help: 'Leave a process that ended as it is; without this it is started again.',
    },
  },
  {
    key: 'stop_exit_codes',
    spec: 'stopExitCodes',
    type: list.exitCodeList,
    default: [],
    needs: 'nothing',
    description: 'Exit codes that mean the work is done, so that the process is not started again.',
    example: [0],
    flag: { takes: 'codes' },
  },
  {
    key: 'min_uptime',
    spec: 'minUptimeMs',
    type: type.duration(),
    default: '1s',
    needs: 'nothing',
    description:
      'How long a program that never listens on a port must run to count as online, and any new version before a reload goes on.',
    example: '5s',
    flag: { takes: 'duration' },
  },
  {
    key: 'max_restarts',
    spec: 'maxRestarts',
    type: type.integer(),
    default: 12,
    needs: 'nothing',
    description:
      'How many unexpected ends of a worker are forgiven within `restart_window`; after them it stays `errored`.',
    example: 5,
    flag: { takes: 'number' },
  },
  {
    key: 'restart_window',
    spec: 'restartWindowMs',
    type: type.duration({ min: 1 }),
    default: '1m',
    needs: 'nothing',
    description:
      'The time in which `max_restarts` counts; it slides. How long a worker was starting that never came online is not part of it, or one that takes long to fail would be started for ever.',
    example: '10m',
    flag: { takes: 'duration' },
  },
  {
    key: 'restart_delay',
    spec: 'restartDelayMs',
    type: type.duration(),
    default: 0,
    needs: 'nothing',
    description: 'The least wait before a restart. Without it the first restart is immediate.',
    example: '3s',
    flag: { takes: 'duration' },
  },
  {
    key: 'exp_backoff_restart_delay',
    spec: 'expBackoffRestartDelayMs',
    type: type.duration(),
    default: 100,
    needs: 'nothing',
    description:
      'The wait before the second restart within `restart_window`; it doubles with each further one.',
    example: '200ms',
    flag: { takes: 'duration' },
  },
  {
    key: 'max_restart_delay',
    spec: 'maxRestartDelayMs',
    type: type.duration(),
    default: '5s',
    needs: 'nothing',
    description: 'The longest wait that the doubling comes to.',
    example: '30s',
    flag: { takes: 'duration' },
  },
  {
    key: 'max_memory_restart',
    spec: 'maxMemoryRestartBytes',
    type: type.size({ min: 1024 ** 2 }),
    default: null,
    defaultText: 'no limit',
    needs: 'nothing',
    description:
      'A worker whose memory (RSS, looked at every 5 s) grows beyond this is replaced as in a reload: the new one first, no lost request. In fork mode the old one ends first.',
    example: '512M',
    flag: { takes: 'size' },
  },
  {
    key: 'hang_timeout',
    spec: 'hangTimeoutMs',
    type: type.duration({ min: 5000 }),
    default: null,
    defaultText: 'never',
    needs: 'nothing',
    description:
      'A worker whose event loop has been blocked for so long is killed (SIGABRT, after `kill_timeout` SIGKILL) and restarted; also one that has been blocked since its start, after `listen_timeout` at the earliest. Only in cluster mode. Without it such a worker is shown as `unresponsive` and left alone.',
    example: '30s',
    flag: { takes: 'duration' },
  },
];

/** @type {Omit<Option, 'group'>[]} */
const startAndStop = [
  {
    key: 'wait_ready',
    spec: 'waitReady',
    type: type.boolean,
    default: false,
    needs: 'nothing',
    description: "Count a worker as online only when it has called `process.send('ready')`.",
    example: true,
    flag: {},
  },
  {
    key: 'listen_timeout',
    spec: 'listenTimeoutMs',
    type: type.duration({ min: 1 }),
    default: '10s',
    needs: 'nothing',
    description:
      'How long a new worker may take to listen (or to say `ready`). A reload that waits in vain keeps the old worker.',
    example: '30s',
    flag: { takes: 'duration' },
  },
  {
    key: 'drain_timeout',
    spec: 'drainTimeoutMs',
    type: type.duration(),
    default: '30s',
    needs: 'nothing',
    description:
      'How long a worker that is replaced or stopped may finish the requests that it has. What is still open then is cut and counted. One whose event loop is blocked is not waited for: it has `kill_timeout` to come back.',
    example: '1m',
    flag: { takes: 'duration' },
  },
  {
    key: 'hold_timeout',
    spec: 'holdTimeoutMs',
    type: type.duration(),
    default: '30s',
    needs: 'nothing',
    description:
      'How long the listening socket stays open when no worker is left and one is to come back. Clients wait meanwhile instead of being refused. While workers of a restart still drain it does not count. Also how long the daemon keeps it open without a primary.',
    example: '10s',
    flag: { takes: 'duration' },
  },
  {
    key: 'hold_connections',
    spec: 'holdConnections',
    type: type.integer({ min: 0 }),
    default: 1000,
    needs: 'nothing',
    description:
      'How many connections may wait while no worker is left (round-robin; with shared sockets the kernel keeps its own queue).',
    example: 5000,
    flag: { takes: 'count' },
  },
  {
    key: 'kill_signal',
    spec: 'killSignal',
    type: type.signal,
    default: 'SIGTERM',
    needs: 'nothing',
    description: "The signal that asks a worker to end. PM2's habit is SIGINT.",
    example: 'SIGINT',
    flag: { takes: 'signal' },
  },
  {
    key: 'kill_timeout',
    spec: 'killTimeoutMs',
    type: type.duration(),
    default: '5s',
    needs: 'nothing',
    description: 'How long after that signal what is left of the worker is killed (SIGKILL).',
    example: '10s',
    flag: { short: '-k', takes: 'duration' },
  },
  {
    key: 'treekill',
    spec: 'treekill',
    type: type.boolean,
    default: true,
    needs: 'nothing',
    description:
      'Whether everything that a worker has started ends with it, daemons included (all that has its `NODECLUSTER_WORKER` in the environment). `false` leaves it alone.',
    example: false,
    flag: { negated: true },
  },
  {
    key: 'shutdown_with_message',
    spec: 'shutdownWithMessage',
    type: type.boolean,
    default: false,
    needs: 'nothing',
    description:
      "Ask a worker to end with the message 'shutdown' (`process.on('message')`) instead of a signal.",
    example: true,
    flag: {},
  },
  {
    key: 'max_surge',
    spec: 'maxSurge',
    type: type.integer({ min: 1, max: 1000 }),
    default: 1,
    needs: 'nothing',
    description:
      'How many workers a reload replaces at the same time; so many may run beyond `instances` for a while.',
    example: 2,
    flag: { takes: 'number' },
  },
];

/** @type {Omit<Option, 'group'>[]} */
const occasions = [
  {
    key: 'cron_restart',
    spec: 'cronRestart',
    type: type.cronPattern,
    default: null,
    needs: 'nothing',
    description:
      'Reload the app (without downtime in cluster mode) at these times: a cron pattern of five fields, or six with seconds first, in local time.',
    example: '0 4 * * *',
    aliases: ['cron'],
    flag: { short: '-c', takes: 'pattern' },
  },
  {
    key: 'watch',
    spec: 'watch',
    type: list.watched,
    default: false,
    needs: 'nothing',
    description:
      'Reload the app (without downtime in cluster mode) when a file changes: in `cwd`, or in the paths given in the ecosystem file; the flag is a switch. node_modules, .git and logs are never watched.',
    example: ['src', 'config'],
    flag: {},
  },
  {
    key: 'ignore_watch',
    spec: 'ignoreWatch',
    type: list.texts,
    default: [],
    needs: 'nothing',
    description:
      'Paths (relative to `cwd`), names or patterns (`*.log`, `tmp/**`) of files and folders whose changes do not count.',
    example: ['public/uploads', '*.log'],
    flag: { takes: 'path', repeatable: true },
  },
  {
    key: 'watch_delay',
    spec: 'watchDelayMs',
    type: type.duration(),
    default: '200ms',
    needs: 'nothing',
    description: 'How long to wait for further changes before the reload.',
    example: '1s',
    flag: { takes: 'duration' },
  },
];

/** @type {Omit<Option, 'group'>[]} */
const logs = [
  {
    key: 'out_file',
    spec: 'outFile',
    type: logType.file,
    default: null,
    defaultText: '`<name>-out.log` in the folder `logs` of the home directory',
    needs: 'nothing',
    description:
      'The file for what the workers write to stdout, relative to `cwd`; missing folders are made. `/dev/null` keeps nothing.',
    example: './logs/out.log',
    aliases: ['out', 'output', 'out_log'],
    flag: { short: '-o', long: '--output', takes: 'file' },
  },
  {
    key: 'error_file',
    spec: 'errorFile',
    type: logType.file,
    default: null,
    defaultText: '`<name>-error.log` in the folder `logs` of the home directory',
    needs: 'nothing',
    description: 'The same for stderr.',
    example: './logs/error.log',
    aliases: ['error', 'err', 'err_file', 'err_log'],
    flag: { short: '-e', long: '--error', takes: 'file' },
  },
  {
    key: 'log_file',
    spec: 'logFile',
    type: logType.file,
    default: null,
    needs: 'nothing',
    description:
      'One file for both, in the order in which they come. A stream then has a file of its own only when `out_file` or `error_file` names one.',
    example: './logs/all.log',
    aliases: ['log'],
    flag: { short: '-l', long: '--log', takes: 'file' },
  },
  {
    key: 'merge_logs',
    spec: 'mergeLogs',
    type: type.boolean,
    default: true,
    needs: 'nothing',
    description:
      'Whether all workers write to the same files. With `false` each has its own: `<name>-<number>-out.log`, and `out-<number>.log` where `out_file` is `out.log`.',
    example: false,
    aliases: ['combine_logs'],
    flag: { negated: true },
  },
  {
    key: 'log_type',
    spec: 'logType',
    type: type.choice(['text', 'raw', 'json']),
    default: 'text',
    needs: 'nothing',
    description:
      'What a line looks like. `text`: `<time> <name>:<number> | <message>`. `json`: an object with `time`, `app`, `worker`, `stream` and `message`. `raw`: as the program writes it.',
    example: 'json',
    flag: { takes: 'type' },
  },
  {
    key: 'time',
    spec: 'time',
    type: type.boolean,
    default: true,
    needs: 'nothing',
    description: 'Whether lines of `text` begin with their time.',
    example: false,
    flag: { negated: true },
  },
  {
    key: 'log_date_format',
    spec: 'logDateFormat',
    type: logType.dateFormat,
    default: null,
    defaultText: 'ISO 8601 in UTC with milliseconds',
    needs: 'nothing',
    description: `The time of \`text\` and \`json\` lines, in local time: of ${TOKENS_TEXT}, with other letters in [brackets].`,
    example: 'YYYY-MM-DD HH:mm:ss.SSS Z',
    flag: { takes: 'format' },
  },
  {
    key: 'log_rotate',
    spec: 'logRotate',
    type: logType.rotation,
    default: { max_size: '10M', keep: 10, compress: true },
    defaultText: '`{max_size: 10M, keep: 10, compress: true}`',
    needs: 'nothing',
    description:
      'A log file that would grow beyond `max_size` is moved away at the end of a line, to `<file>.<number>`; the newest `keep` of them stay, with `compress` as `.gz`. `false` lets it grow.',
    example: { max_size: '50M', keep: 5 },
    flag: {
      negated: true,
      help: 'Let log files grow; without this they are rotated at 10M and 10 of them are kept.',
    },
  },
];

/** @type {Omit<Option, 'group'>[]} */
const rights = [
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

/** @type {readonly Option[]} */
export const options = Object.freeze([
  ...inGroup('The program', program),
  ...inGroup('Instances', instances),
  ...inGroup('Environment', environment),
  ...inGroup('Restarts', restarts),
  ...inGroup('Starting and stopping', startAndStop),
  ...inGroup('Reload by itself', occasions),
  ...inGroup('Logs', logs),
  ...inGroup('Rights', rights),
]);

/**
 * @param {string} group
 * @param {Omit<Option, 'group'>[]} members
 * @returns {Option[]}
 */
function inGroup(group, members) {
  return members.map((option) => ({ ...option, group }));
}
