import { jsonOption } from '../../options.js';
import { onLogs } from '../../actions/on-logs.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'empty the log files of apps',
  details: 'Files that were rotated are removed. Without arguments those of all apps.',
  arguments: [{ name: '[apps...]', summary: 'names, namespaces, /regex/ or all' }],
  options: [jsonOption],
  examples: ['nodecluster flush api', 'nodecluster flush'],
};

/** @param {Context} context */
export function run(context) {
  return onLogs(context, 'flush');
}
