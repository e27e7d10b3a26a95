import {
  applyOptions,
  jsonOption,
  noWaitOption,
  onFailureOption,
  parallelOption,
  updateEnvOption,
} from '../../options.js';
import { renewApps } from '../../actions/renew-apps.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'replace workers one by one; in cluster mode no request is lost',
  details:
    'In cluster mode a new worker listens before an old one stops accepting; in fork mode it starts\nwhen the old one has ended. With an ecosystem file, every change is applied by the smallest\naction that does it.',
  arguments: [
    {
      name: '[targets...]',
      summary: 'names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file',
    },
  ],
  options: [
    ...applyOptions,
    updateEnvOption,
    parallelOption,
    onFailureOption,
    noWaitOption,
    jsonOption,
  ],
  examples: [
    'nodecluster reload api',
    'nodecluster reload api --update-env',
    'nodecluster reload api --on-failure rollback',
    'nodecluster reload api --no-wait',
    'nodecluster reload ecosystem.yml --prune',
    'nodecluster reload --dry-run',
  ],
};

/** @param {Context} context */
export function run(context) {
  return renewApps(context, 'reload');
}
