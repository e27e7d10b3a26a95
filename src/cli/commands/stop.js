import { commandApps, readSelectors } from '../actions/request.js';
import { fileOptions, jsonOption, targetsArgument } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'stop apps or single workers; they stay in the list',
  details: 'Workers finish their open requests first. `nodecluster start <app>` starts them again.',
  arguments: [targetsArgument],
  options: [...fileOptions, jsonOption],
  examples: [
    'nodecluster stop api',
    'nodecluster stop 3 api:1',
    'nodecluster stop all',
    'nodecluster stop ecosystem.yml --only api',
  ],
};

/** @type {Run} */
export async function run(context) {
  return commandApps(context, 'stop', { selectors: await readSelectors(context) });
}
