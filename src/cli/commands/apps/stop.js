import { endApps } from '../../actions/end-apps.js';
import { fileOptions, jsonOption } from '../../options.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'stop apps or single workers, and remember them',
  details: 'The workers finish their requests first. `nodecluster start <app>` brings them back.',
  arguments: [
    {
      name: '[targets...]',
      summary: 'names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file',
    },
  ],
  options: [...fileOptions, jsonOption],
  examples: [
    'nodecluster stop api',
    'nodecluster stop 3 api:1',
    'nodecluster stop all',
    'nodecluster stop ecosystem.yml --only api',
  ],
};

/** @param {Context} context */
export function run(context) {
  return endApps(context, 'stop');
}
