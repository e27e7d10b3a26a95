import { endApps } from '../../actions/end-apps.js';
import { fileOptions, jsonOption } from '../../options.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'stop apps and forget them',
  details: 'Their log files stay.',
  arguments: [
    {
      name: '[targets...]',
      summary: 'names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file',
    },
  ],
  options: [...fileOptions, jsonOption],
  examples: [
    'nodecluster delete api',
    'nodecluster del all',
    'nodecluster delete ecosystem.yml --only api',
  ],
};

/** @param {Context} context */
export function run(context) {
  return endApps(context, 'delete');
}
