import { commandLogFiles } from '../actions/command-log-files.js';
import { jsonOption, logFilesArgument } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'reopen log files that another program has moved',
  details:
    'For your own logrotate setup; sending SIGUSR2 to the daemon does the same. The built-in ' +
    'rotation (log_rotate) does not need it. Without arguments it works on all apps.',
  arguments: [logFilesArgument],
  options: [jsonOption],
  examples: ['nodecluster reload-logs', 'nodecluster reload-logs api'],
};

/** @type {Run} */
export function run(context) {
  return commandLogFiles(context, 'reload-logs');
}
