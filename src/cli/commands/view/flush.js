import { commandLogFiles } from '../../actions/command-log-files.js';
import { jsonOption, logAppsArgument } from '../../options.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'empty the log files of apps',
  details: 'Rotated log files are deleted. Without arguments it works on all apps.',
  arguments: [logAppsArgument],
  options: [jsonOption],
  examples: ['nodecluster flush api', 'nodecluster flush'],
};

/** @param {Context} context */
export function run(context) {
  return commandLogFiles(context, 'flush');
}
