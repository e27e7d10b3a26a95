/** All commands by name. Each is loaded only when needed: `ls` does not load the code of `start`. */
/** @import { Context } from './context.js' */

/**
 * @typedef {object} CommandOption
 * @property {string} flags as in the help: `-i, --instances <n>`
 * @property {string} summary
 * @property {boolean} [repeatable] it can be given several times, and its values form a list
 * @property {readonly string[]} [values] all possible values, for shell completion
 * @property {(text: string) => unknown} [parse] throws an Error that says what it expects
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
 * @property {() => Promise<CommandModule>} load
 */

/** @type {Verb[]} in the order of the help */
export const verbs = [
  { name: 'start', aliases: [], load: () => import('./commands/apps/start.js') },
  { name: 'ls', aliases: ['list', 'ps', 'status'], load: () => import('./commands/view/ls.js') },
  {
    name: 'reload',
    aliases: ['startOrReload', 'startOrGracefulReload', 'gracefulReload'],
    load: () => import('./commands/apps/reload.js'),
  },
  {
    name: 'restart',
    aliases: ['startOrRestart'],
    load: () => import('./commands/apps/restart.js'),
  },
  { name: 'apply', aliases: [], load: () => import('./commands/apps/apply.js') },
  { name: 'stop', aliases: [], load: () => import('./commands/apps/stop.js') },
  { name: 'delete', aliases: ['del'], load: () => import('./commands/apps/delete.js') },
  { name: 'scale', aliases: [], load: () => import('./commands/apps/scale.js') },
  { name: 'reset', aliases: [], load: () => import('./commands/apps/reset.js') },
  {
    name: 'describe',
    aliases: ['show', 'info'],
    load: () => import('./commands/view/describe.js'),
  },
  { name: 'logs', aliases: ['log'], load: () => import('./commands/view/logs.js') },
  { name: 'flush', aliases: [], load: () => import('./commands/view/flush.js') },
  {
    name: 'reload-logs',
    aliases: ['reloadLogs'],
    load: () => import('./commands/view/reload-logs.js'),
  },
  { name: 'monit', aliases: ['dash', 'dashboard'], load: () => import('./commands/view/monit.js') },
  { name: 'env', aliases: [], load: () => import('./commands/view/env.js') },
  { name: 'events', aliases: [], load: () => import('./commands/view/events.js') },
  { name: 'send', aliases: [], load: () => import('./commands/apps/send.js') },
  { name: 'metrics', aliases: [], load: () => import('./commands/view/metrics.js') },
  { name: 'init', aliases: ['ecosystem'], load: () => import('./commands/home/init.js') },
  { name: 'completion', aliases: [], load: () => import('./commands/home/completion.js') },
  { name: 'schema', aliases: [], load: () => import('./commands/home/schema.js') },
  { name: 'ping', aliases: [], load: () => import('./commands/home/ping.js') },
  { name: 'kill', aliases: [], load: () => import('./commands/home/kill.js') },
];

/**
 * @param {string} word a name or an alias, in any letter case
 * @returns {Verb | undefined}
 */
export function findVerb(word) {
  const isSame = (/** @type {string} */ name) => name.toLowerCase() === word.toLowerCase();
  return verbs.find(({ name, aliases }) => [name, ...aliases].some(isSame));
}
