import { commandApps, readSelectors } from '../actions/request.js';
import { fileOptions, jsonOption, targetsArgument } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'stop apps and remove them from the list',
  details: 'Their log files are not deleted.',
  arguments: [targetsArgument],
  options: [...fileOptions, jsonOption],
  examples: [
    'nodecluster delete api',
    'nodecluster del all',
    'nodecluster delete ecosystem.yml --only api',
  ],
};

/** @type {Run} */
export async function run(context) {
  return commandApps(context, 'delete', { selectors: await readSelectors(context) });
}
