import { jsonOption } from '../../options.js';
import { onLogs } from '../../actions/on-logs.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'open the log files anew, after another program has moved them',
  details:
    'For a logrotate of your own; the signal SIGUSR2 to the daemon does the same. The rotation that\nis built in (log_rotate) does not need it. Without arguments for all apps.',
  arguments: [{ name: '[apps...]', summary: 'names, namespaces, /regex/ or all' }],
  options: [jsonOption],
  examples: ['nodecluster reload-logs', 'nodecluster reload-logs api'],
};

/** @param {Context} context */
export function run(context) {
  return onLogs(context, 'reload-logs');
}
