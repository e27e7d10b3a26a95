import { commandApps } from '../../actions/on-apps.js';
import { jsonOption } from '../../options.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'count restarts from zero again',
  details:
    'Past deaths no longer count against max_restarts. Nothing is started or stopped: what is errored\nstays so until it is started or reloaded.',
  arguments: [
    { name: '<targets...>', summary: 'names, worker ids, name:slot, namespaces, /regex/ or all' },
  ],
  options: [jsonOption],
  examples: ['nodecluster reset api', 'nodecluster reset all'],
};

/** @param {Context} context */
export function run(context) {
  return commandApps(context, 'reset', { selectors: context.words });
}
