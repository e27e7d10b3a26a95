/**
 * The commands: the one place that lists them, and the only importer of clients. Each is loaded when needed; `ls` and
 * `ping`, which scripts repeat, load no other beside them.
 */
import * as ping from './commands/ping.js';
import * as ls from './commands/ls.js';

/** @import { CommandRow } from './command.js' */

/** By heading, in the order of the help and of docs/reference/commands.md. @type {Record<string, [name: string, aliases: string[], load: CommandRow['load']][]>} */
const TABLE = {
  'Run apps:': [
    ['start', [], () => import('./commands/start.js')],
    [
      'run',
      ['runtime', 'docker'],
      async () =>
        (await import('../features/run/command.js')).runWith(
          async () => (await import('../clients/metrics/outlets.js')).outletsOf,
        ),
    ],
    ['serve', ['expose'], () => import('../clients/serve/command.js')],
    ['run-now', [], () => import('../features/jobs/command.js')],
  ],
  'Change and deploy:': [
    [
      'reload',
      ['startOrReload', 'startOrGracefulReload', 'gracefulReload'],
      async () => (await import('./commands/reload.js')).reload,
    ],
    ['apply', [], async () => (await import('./commands/reload.js')).apply],
    ['restart', ['startOrRestart'], async () => (await import('./commands/reload.js')).restart],
    ['scale', [], async () => (await import('./commands/apps.js')).scale],
    ['stop', [], async () => (await import('./commands/apps.js')).stop],
    ['delete', ['del'], async () => (await import('./commands/apps.js')).deleteApps],
    ['reset', [], async () => (await import('./commands/apps.js')).reset],
    ['send', [], async () => (await import('./commands/apps.js')).send],
    ['attach', [], () => import('./commands/attach.js')],
    ['signal', ['sendSignal'], async () => (await import('./commands/apps.js')).signal],
    ['prove', [], () => import('../clients/prove/command.js')],
  ],
  'Look:': [
    ['ls', ['list', 'ps', 'status', 'l'], async () => ls],
    [
      'describe',
      ['show', 'info', 'desc'],
      async () => (await import('./commands/describe.js')).describe,
    ],
    ['monit', ['dash', 'dashboard'], () => import('../clients/monit/command.js')],
    ['web', [], () => import('../clients/web/command.js')],
    ['logs', ['log'], () => import('./commands/logs.js')],
    ['flush', [], async () => (await import('./commands/apps.js')).flush],
    ['events', [], () => import('./commands/events.js')],
    ['audit', [], () => import('../features/audit/command.js')],
    ['why', [], () => import('../features/why/command-why.js')],
    ['profile', [], () => import('../features/why/command-profile.js')],
    ['env', [], async () => (await import('./commands/describe.js')).env],
    ['metrics', [], () => import('../clients/metrics/command.js')],
    ['doctor', [], () => import('../clients/doctor/command.js')],
    ['report', [], () => import('../clients/report/command.js')],
  ],
  'Boot and the daemon:': [
    ['startup', [], async () => (await import('../clients/startup/command.js')).startup],
    ['unstartup', [], async () => (await import('../clients/startup/command.js')).unstartup],
    ['kill', [], async () => (await import('./commands/daemon.js')).kill],
    ['resurrect', [], async () => (await import('./commands/apps.js')).resurrect],
    ['update', ['updatePM2'], async () => (await import('./commands/daemon.js')).update],
    ['ping', [], async () => ping],
    ['daemon', [], async () => (await import('./commands/daemon.js')).daemon],
  ],
  'Move:': [
    ['init', ['ecosystem'], () => import('./commands/init.js')],
    ['import', [], () => import('../clients/pm2/command-import.js')],
    ['export', [], () => import('../clients/export/command.js')],
    ['completion', [], () => import('../clients/completion/command.js')],
  ],
  'Coming from PM2:': [
    ['jlist', [], async () => (await import('../clients/pm2/lists.js')).jlist],
    ['id', [], async () => (await import('../clients/pm2/lists.js')).id],
    ['pid', [], async () => (await import('../clients/pm2/lists.js')).pid],
  ],
};

/** @type {CommandRow[]} */
export const commands = Object.entries(TABLE).flatMap(([heading, rows]) =>
  rows.map(([name, aliases, load]) => ({ name, aliases, heading, load })),
);

/** What a command that only PM2 has answers. @param {readonly string[]} args a command line, without nodecluster */
export async function pm2Answer(args) {
  return (await import('../clients/pm2/answers.js')).pm2Answer(args);
}

/** Those of the short help, in its order. */
export const firstCommands = 'start ls logs monit describe reload stop delete scale init'
  .split(' ')
  .flatMap((word) => findCommand(word) ?? [])
  .map((row) => ({ ...row, heading: 'Commands:' }));

/** @param {string} [word] a name or an alias, in any letter case */
export function findCommand(word = '') {
  const isSame = (/** @type {string} */ name) => name.toLowerCase() === word.toLowerCase();
  return commands.find(({ name, aliases }) => [name, ...aliases].some(isSame));
}
