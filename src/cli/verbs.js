/** All commands by name. Each is loaded only when needed: `ls` does not load the code of `start`. */
import * as ping from './commands/ping.js';
import * as ls from './commands/ls.js';

/** @import { Context } from './context.js' */

/**
 * @typedef {object} CommandOption
 * @property {string} flags as in the help: `-i, --instances <n>`
 * @property {string} summary
 * @property {boolean} [repeatable] it can be given several times, and its values form a list
 * @property {readonly string[]} [values] all possible values, for shell completion
 * @property {(text: string) => unknown} [parse] throws an Error that says what it expects
 * @property {string} [heading] in the help; without it `Options:`
 * @property {boolean} [isRare] only `--help --all` shows it
 * @property {string} [brief] in place of the summary, except with `--help --all`
 *
 * @typedef {object} CommandArgument
 * @property {string} name in brackets: `<required>`, `[optional...]`
 * @property {string} summary
 *
 * @typedef {object} CommandData
 * @property {string} summary one line for the list of commands
 * @property {string} [details] for the command's own help
 * @property {CommandArgument[]} arguments
 * @property {CommandOption[]} options
 * @property {string[]} examples
 *
 * @typedef {(context: Context) => Promise<number>} Run resolves to the exit code
 *
 * @typedef {{command: CommandData, run: Run}} CommandModule
 *
 * @typedef {object} Verb
 * @property {string} name
 * @property {string[]} aliases
 * @property {string} heading in the main help
 * @property {() => Promise<CommandModule>} load
 */

const RUN = 'Run apps:';
const LOOK = 'Look:';
const LOGS = 'Logs:';
const HOME = 'Settings and home directory:';
const SERVICE = 'Service:';
const PM2 = 'Coming from PM2:';

/**
 * All but the two that scripts repeat are in a file of their own in the published package.
 * @param {keyof typeof import('./other-commands.js').load} name
 * @returns {Verb['load']}
 */
const other = (name) => async () => (await import('./other-commands.js')).load[name]();

/** @type {Verb[]} in the order of the help */
export const verbs = [
  { name: 'start', aliases: [], heading: RUN, load: other('start') },
  {
    name: 'run',
    aliases: ['runtime', 'docker'],
    heading: RUN,
    load: other('run'),
  },
  {
    name: 'reload',
    aliases: ['startOrReload', 'startOrGracefulReload', 'gracefulReload'],
    heading: RUN,
    load: other('reload'),
  },
  {
    name: 'restart',
    aliases: ['startOrRestart'],
    heading: RUN,
    load: other('restart'),
  },
  { name: 'apply', aliases: [], heading: RUN, load: other('apply') },
  { name: 'stop', aliases: [], heading: RUN, load: other('stop') },
  {
    name: 'delete',
    aliases: ['del'],
    heading: RUN,
    load: other('delete'),
  },
  { name: 'scale', aliases: [], heading: RUN, load: other('scale') },
  { name: 'run-now', aliases: [], heading: RUN, load: other('run-now') },
  { name: 'reset', aliases: [], heading: RUN, load: other('reset') },
  {
    name: 'serve',
    aliases: ['expose'],
    heading: RUN,
    load: other('serve'),
  },
  { name: 'send', aliases: [], heading: RUN, load: other('send') },
  {
    name: 'signal',
    aliases: ['sendSignal'],
    heading: RUN,
    load: other('signal'),
  },
  {
    name: 'ls',
    aliases: ['list', 'ps', 'status', 'l'],
    heading: LOOK,
    load: async () => ls,
  },
  {
    name: 'describe',
    aliases: ['show', 'info', 'desc'],
    heading: LOOK,
    load: other('describe'),
  },
  {
    name: 'monit',
    aliases: ['dash', 'dashboard'],
    heading: LOOK,
    load: other('monit'),
  },
  { name: 'why', aliases: [], heading: LOOK, load: other('why') },
  { name: 'profile', aliases: [], heading: LOOK, load: other('profile') },
  { name: 'web', aliases: [], heading: LOOK, load: other('web') },
  { name: 'env', aliases: [], heading: LOOK, load: other('env') },
  { name: 'events', aliases: [], heading: LOOK, load: other('events') },
  { name: 'metrics', aliases: [], heading: LOOK, load: other('metrics') },
  { name: 'prove', aliases: [], heading: LOOK, load: other('prove') },
  {
    name: 'logs',
    aliases: ['log', 'attach'],
    heading: LOGS,
    load: other('logs'),
  },
  { name: 'flush', aliases: [], heading: LOGS, load: other('flush') },
  {
    name: 'reload-logs',
    aliases: ['reloadLogs'],
    heading: LOGS,
    load: other('reload-logs'),
  },
  {
    name: 'init',
    aliases: ['ecosystem'],
    heading: HOME,
    load: other('init'),
  },
  { name: 'import', aliases: [], heading: HOME, load: other('import') },
  {
    name: 'completion',
    aliases: [],
    heading: HOME,
    load: other('completion'),
  },
  { name: 'schema', aliases: [], heading: HOME, load: other('schema') },
  { name: 'ping', aliases: [], heading: HOME, load: async () => ping },
  {
    name: 'save',
    aliases: ['dump'],
    heading: HOME,
    load: other('save'),
  },
  {
    name: 'resurrect',
    aliases: [],
    heading: HOME,
    load: other('resurrect'),
  },
  {
    name: 'update',
    aliases: ['updatePM2'],
    heading: HOME,
    load: other('update'),
  },
  { name: 'kill', aliases: [], heading: HOME, load: other('kill') },
  {
    name: 'startup',
    aliases: [],
    heading: SERVICE,
    load: other('startup'),
  },
  {
    name: 'unstartup',
    aliases: [],
    heading: SERVICE,
    load: other('unstartup'),
  },
  {
    name: 'daemon',
    aliases: [],
    heading: SERVICE,
    load: other('daemon'),
  },
  {
    name: 'export',
    aliases: [],
    heading: SERVICE,
    load: other('export'),
  },
  {
    name: 'agent',
    aliases: [],
    heading: SERVICE,
    load: other('agent'),
  },
  { name: 'jlist', aliases: [], heading: PM2, load: other('jlist') },
  {
    name: 'prettylist',
    aliases: [],
    heading: PM2,
    load: other('prettylist'),
  },
  { name: 'id', aliases: [], heading: PM2, load: other('id') },
  { name: 'pid', aliases: [], heading: PM2, load: other('pid') },
];

/**
 * @param {string} [word] a name or an alias, in any letter case
 * @returns {Verb | undefined}
 */
export function findVerb(word = '') {
  const isSame = (/** @type {string} */ name) => name.toLowerCase() === word.toLowerCase();
  return verbs.find(({ name, aliases }) => [name, ...aliases].some(isSame));
}
