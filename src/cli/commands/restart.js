import { applyOptions, jsonOption, updateEnvOption } from '../options.js';
import { renewApps } from '../renew-apps.js';

/** @type {import('../verbs.js').CommandData} */
export const command = {
  summary: 'stop workers and start them anew',
  details: 'Requests are interrupted; `reload` does not interrupt any.',
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

/** @param {import('../context.js').Context} context */
export function run(context) {
  return renewApps(context, 'restart');
}
