import { commandLogFiles } from '../actions/command-log-files.js';
import { jsonOption, logFilesArgument } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'empty the log files of apps',
  details: 'Rotated log files are deleted. Without arguments it works on all apps.',
  arguments: [logFilesArgument],
  options: [jsonOption],
  examples: ['nodecluster flush api', 'nodecluster flush'],
};

/** @type {Run} */
export function run(context) {
  return commandLogFiles(context, 'flush');
}
