import { jsonOption } from '../options.js';
import { onLogs } from '../on-logs.js';

/** @type {import('../verbs.js').CommandData} */
export const command = {
  summary: 'empty the log files of apps',
  details: 'Files that were rotated are removed. Without arguments those of all apps.',
  arguments: [{ name: '[apps...]', summary: 'names, namespaces, /regex/ or all' }],
  options: [jsonOption],
  examples: ['nodecluster flush api', 'nodecluster flush'],
};

/** @param {import('../context.js').Context} context */
export function run(context) {
  return onLogs(context, 'flush');
}
