/**
 * The commands: the one place that lists them, and the only importer of clients. Each is loaded when needed; `ls` and
 * `ping`, which scripts repeat, load no other beside them.
 */
import * as ping from './commands/ping.js';
import * as ls from './commands/ls.js';

/**
 * @import { CommandModule, CommandRow } from './command.js'
 *
 * @typedef {[name: string, aliases: string[], load: () => Promise<CommandModule>]} Row
 */

/** @type {[heading: string, Row[]][]} in the order of the help */
const TABLE = [
  [
    'Run apps:',
    [
      ['start', [], () => import('./commands/start.js')],
      ['run', ['runtime', 'docker'], () => import('../features/run/command.js')],
      [
        'reload',
        ['startOrReload', 'startOrGracefulReload', 'gracefulReload'],
        () => import('./commands/reload.js'),
      ],
      ['restart', ['startOrRestart'], () => import('./commands/restart.js')],
      ['apply', [], () => import('./commands/apply.js')],
      ['stop', [], () => import('./commands/stop.js')],
      ['delete', ['del'], () => import('./commands/delete.js')],
      ['scale', [], () => import('./commands/scale.js')],
      ['run-now', [], () => import('../features/jobs/command.js')],
      ['reset', [], () => import('./commands/reset.js')],
      ['serve', ['expose'], () => import('../clients/serve/command.js')],
      ['send', [], () => import('./commands/send.js')],
      ['signal', ['sendSignal'], () => import('./commands/signal.js')],
    ],
  ],
  [
    'Look:',
    [
      ['ls', ['list', 'ps', 'status', 'l'], async () => ls],
      ['describe', ['show', 'info', 'desc'], () => import('./commands/describe.js')],
      ['monit', ['dash', 'dashboard'], () => import('../clients/monit/command.js')],
      ['why', [], () => import('../features/why/command-why.js')],
      ['profile', [], () => import('../features/why/command-profile.js')],
      ['web', [], () => import('../clients/web/command.js')],
      ['env', [], () => import('./commands/env.js')],
      ['events', [], () => import('./commands/events.js')],
      ['metrics', [], () => import('../clients/metrics/command.js')],
      ['prove', [], () => import('../clients/prove/command.js')],
    ],
  ],
  [
    'Logs:',
    [
      ['logs', ['log', 'attach'], () => import('./commands/logs.js')],
      ['flush', [], () => import('./commands/flush.js')],
      ['reload-logs', ['reloadLogs'], () => import('./commands/reload-logs.js')],
    ],
  ],
  [
    'Settings and home directory:',
    [
      ['init', ['ecosystem'], () => import('./commands/init.js')],
      ['import', [], () => import('../clients/pm2/command-import.js')],
      ['completion', [], () => import('../clients/completion/command.js')],
      ['schema', [], () => import('./commands/schema.js')],
      ['ping', [], async () => ping],
      ['save', ['dump'], () => import('./commands/save.js')],
      ['resurrect', [], () => import('./commands/resurrect.js')],
      ['update', ['updatePM2'], () => import('./commands/update.js')],
      ['kill', [], () => import('./commands/kill.js')],
    ],
  ],
  [
    'Service:',
    [
      ['startup', [], () => import('./service/startup.js')],
      ['unstartup', [], () => import('./service/unstartup.js')],
      ['daemon', [], () => import('./service/daemon.js')],
      ['export', [], () => import('../clients/export/command.js')],
      ['agent', [], () => import('../clients/balancer/command.js')],
    ],
  ],
  [
    'Coming from PM2:',
    [
      ['jlist', [], async () => (await import('../clients/pm2/lists.js')).jlist],
      ['prettylist', [], async () => (await import('../clients/pm2/lists.js')).prettylist],
      ['id', [], async () => (await import('../clients/pm2/lists.js')).id],
      ['pid', [], async () => (await import('../clients/pm2/lists.js')).pid],
    ],
  ],
];

/** @type {CommandRow[]} */
export const commands = TABLE.flatMap(([heading, rows]) =>
  rows.map(([name, aliases, load]) => ({ name, aliases, heading, load })),
);

/**
 * @param {string} [word] a name or an alias, in any letter case
 * @returns {CommandRow | undefined}
 */
export function findCommand(word = '') {
  const isSame = (/** @type {string} */ name) => name.toLowerCase() === word.toLowerCase();
  return commands.find(({ name, aliases }) => [name, ...aliases].some(isSame));
}
