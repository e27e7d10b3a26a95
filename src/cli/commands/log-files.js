/** `flush` and `reload-logs`: commands that work on log files and do not touch workers. */
import { jsonOption, logFilesArgument } from '../../show/command-options.js';
import { selectorsFor } from '../../api/selectors.js';
import { reportOutcomes } from '../actions/request.js';

/**
 * @import { CommandModule } from '../command.js'
 * @import { Context } from '../context.js'
 */

/** @type {CommandModule} */
export const flush = {
  command: {
    summary: 'empty the log files of apps',
    details: 'Rotated log files are deleted. Without arguments it works on all apps.',
    arguments: [logFilesArgument],
    options: [jsonOption],
    examples: ['nodecluster flush api', 'nodecluster flush'],
  },
  run: (context) => commandLogFiles(context, 'flush'),
};

/** @type {CommandModule} */
export const reloadLogs = {
  command: {
    summary: 'reopen log files that another program has moved',
    details:
      'For your own logrotate setup; sending SIGUSR2 to the daemon does the same. The built-in ' +
      'rotation (log_rotate) does not need it. Without arguments it works on all apps.',
    arguments: [logFilesArgument],
    options: [jsonOption],
    examples: ['nodecluster reload-logs', 'nodecluster reload-logs api'],
  },
  run: (context) => commandLogFiles(context, 'reload-logs'),
};

/** @param {Context} context @param {'flush' | 'reload-logs'} method */
async function commandLogFiles(context, method) {
  const client = await context.openForApps();
  const words = context.words.length > 0 ? context.words : ['all'];
  const selectors = await selectorsFor(context, client, words);
  return reportOutcomes(context, await client.request(method, { selectors }));
}
