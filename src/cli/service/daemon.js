import { runScript } from '../../api/launch-daemon.js';
import { ensureHome } from '../../shared/home.js';
import { maskLine } from '../../show/mask.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'run the daemon in the foreground, for an init system',
  details:
    'Other commands start the daemon in the background when they need it. Warnings and errors go to ' +
    'stderr, everything goes to daemon.log. SIGTERM and Ctrl-C end the daemon; the apps keep running.',
  arguments: [],
  options: [],
  examples: ['nodecluster daemon'],
};

/** @type {Run} */
export async function run({ daemons, becomeDaemon, note, stderr }) {
  const paths = ensureHome(daemons.home);
  await becomeDaemon(daemons.home, runScript(paths));
  if (stderr.isTerminal) {
    note(`The daemon of ${maskLine(daemons.home)} runs. Ctrl-C ends it; the apps keep running.`);
  }
  return 0;
}
