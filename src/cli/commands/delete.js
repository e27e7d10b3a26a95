import { endApps } from '../end-apps.js';
import { fileOptions, jsonOption } from '../options.js';

/** @type {import('../verbs.js').CommandData} */
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

/** @param {import('../context.js').Context} context */
export function run(context) {
  return endApps(context, 'delete');
}
