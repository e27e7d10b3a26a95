/** All commands by name. Each is loaded only when needed: `ls` does not load the code of `start`. */
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

/** @type {Verb[]} in the order of the help */
export const verbs = [
  { name: 'start', aliases: [], heading: RUN, load: () => import('./commands/apps/start.js') },
  {
    name: 'run',
    aliases: ['runtime', 'docker'],
    heading: RUN,
    load: () => import('./commands/apps/run.js'),
  },
  {
    name: 'reload',
    aliases: ['startOrReload', 'startOrGracefulReload', 'gracefulReload'],
    heading: RUN,
    load: () => import('./commands/apps/reload.js'),
  },
  {
    name: 'restart',
    aliases: ['startOrRestart'],
    heading: RUN,
    load: () => import('./commands/apps/restart.js'),
  },
  { name: 'apply', aliases: [], heading: RUN, load: () => import('./commands/apps/apply.js') },
  { name: 'stop', aliases: [], heading: RUN, load: () => import('./commands/apps/stop.js') },
  {
    name: 'delete',
    aliases: ['del'],
    heading: RUN,
    load: () => import('./commands/apps/delete.js'),
  },
  { name: 'scale', aliases: [], heading: RUN, load: () => import('./commands/apps/scale.js') },
  { name: 'reset', aliases: [], heading: RUN, load: () => import('./commands/apps/reset.js') },
  {
    name: 'serve',
    aliases: ['expose'],
    heading: RUN,
    load: () => import('./commands/apps/serve.js'),
  },
  { name: 'send', aliases: [], heading: RUN, load: () => import('./commands/apps/send.js') },
  {
    name: 'signal',
    aliases: ['sendSignal'],
    heading: RUN,
    load: () => import('./commands/apps/signal.js'),
  },
  {
    name: 'ls',
    aliases: ['list', 'ps', 'status', 'l'],
    heading: LOOK,
    load: () => import('./commands/view/ls.js'),
  },
  {
    name: 'describe',
    aliases: ['show', 'info', 'desc'],
    heading: LOOK,
    load: () => import('./commands/view/describe.js'),
  },
  {
    name: 'monit',
    aliases: ['dash', 'dashboard'],
    heading: LOOK,
    load: () => import('./commands/view/monit.js'),
  },
  { name: 'why', aliases: [], heading: LOOK, load: () => import('./commands/view/why.js') },
  { name: 'profile', aliases: [], heading: LOOK, load: () => import('./commands/view/profile.js') },
  { name: 'web', aliases: [], heading: LOOK, load: () => import('./commands/view/web.js') },
  { name: 'env', aliases: [], heading: LOOK, load: () => import('./commands/view/env.js') },
  { name: 'events', aliases: [], heading: LOOK, load: () => import('./commands/view/events.js') },
  { name: 'metrics', aliases: [], heading: LOOK, load: () => import('./commands/view/metrics.js') },
  { name: 'prove', aliases: [], heading: LOOK, load: () => import('./commands/operate/prove.js') },
  {
    name: 'logs',
    aliases: ['log', 'attach'],
    heading: LOGS,
    load: () => import('./commands/view/logs.js'),
  },
  { name: 'flush', aliases: [], heading: LOGS, load: () => import('./commands/view/flush.js') },
  {
    name: 'reload-logs',
    aliases: ['reloadLogs'],
    heading: LOGS,
    load: () => import('./commands/view/reload-logs.js'),
  },
  {
    name: 'init',
    aliases: ['ecosystem'],
    heading: HOME,
    load: () => import('./commands/home/init.js'),
  },
  { name: 'import', aliases: [], heading: HOME, load: () => import('./commands/home/import.js') },
  {
    name: 'completion',
    aliases: [],
    heading: HOME,
    load: () => import('./commands/home/completion.js'),
  },
  { name: 'schema', aliases: [], heading: HOME, load: () => import('./commands/home/schema.js') },
  { name: 'ping', aliases: [], heading: HOME, load: () => import('./commands/home/ping.js') },
  {
    name: 'save',
    aliases: ['dump'],
    heading: HOME,
    load: () => import('./commands/home/save.js'),
  },
  {
    name: 'resurrect',
    aliases: [],
    heading: HOME,
    load: () => import('./commands/apps/resurrect.js'),
  },
  {
    name: 'update',
    aliases: ['updatePM2'],
    heading: HOME,
    load: () => import('./commands/home/update.js'),
  },
  { name: 'kill', aliases: [], heading: HOME, load: () => import('./commands/home/kill.js') },
  {
    name: 'startup',
    aliases: [],
    heading: SERVICE,
    load: () => import('./commands/operate/startup.js'),
  },
  {
    name: 'unstartup',
    aliases: [],
    heading: SERVICE,
    load: () => import('./commands/operate/unstartup.js'),
  },
  {
    name: 'daemon',
    aliases: [],
    heading: SERVICE,
    load: () => import('./commands/operate/daemon.js'),
  },
  {
    name: 'export',
    aliases: [],
    heading: SERVICE,
    load: () => import('./commands/operate/export.js'),
  },
  {
    name: 'agent',
    aliases: [],
    heading: SERVICE,
    load: () => import('./commands/operate/agent.js'),
  },
  { name: 'jlist', aliases: [], heading: PM2, load: () => import('./commands/pm2/jlist.js') },
  {
    name: 'prettylist',
    aliases: [],
    heading: PM2,
    load: () => import('./commands/pm2/prettylist.js'),
  },
  { name: 'id', aliases: [], heading: PM2, load: () => import('./commands/pm2/id.js') },
  { name: 'pid', aliases: [], heading: PM2, load: () => import('./commands/pm2/pid.js') },
];

/**
 * @param {string} [word] a name or an alias, in any letter case
 * @returns {Verb | undefined}
 */
export function findVerb(word = '') {
  const isSame = (/** @type {string} */ name) => name.toLowerCase() === word.toLowerCase();
  return verbs.find(({ name, aliases }) => [name, ...aliases].some(isSame));
}
