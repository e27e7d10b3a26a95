import { commandApps } from '../actions/request.js';
import { appsArgument, jsonOption } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'reset the restart counters of apps',
  details:
    'Earlier crashes no longer count against max_restarts. Nothing is started or stopped: an ' +
    'errored worker stays errored until you start or reload it.',
  arguments: [appsArgument],
  options: [jsonOption],
  examples: ['nodecluster reset api', 'nodecluster reset all'],
};

/** @type {Run} */
export function run(context) {
  return commandApps(context, 'reset', { selectors: context.words });
}
