import { applyOptions, jsonOption, updateEnvOption } from '../../options.js';
import { renewApps } from '../../actions/renew-apps.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'stop workers and start them anew',
  details:
    'In cluster mode workers finish what they have, and new connections wait; in fork mode requests\nare interrupted. In cluster mode `reload` goes on serving.',
  arguments: [
    {
      name: '[targets...]',
      summary: 'names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file',
    },
  ],
  options: [...applyOptions, updateEnvOption, jsonOption],
  examples: [
    'nodecluster restart api',
    'nodecluster restart all --update-env',
    'nodecluster restart ecosystem.yml --only api,web',
  ],
};

/** @param {Context} context */
export function run(context) {
  return renewApps(context, 'restart');
}
