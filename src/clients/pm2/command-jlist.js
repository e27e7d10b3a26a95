import { fetchProcessList } from './process-list.js';
import { jsonLine } from '../../show/mask.js';

/** @import { CommandData, Run } from '../../cli/verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'print the workers as JSON, in the shape of PM2',
  details:
    'For scripts written for PM2. It contains no environment, because that may contain secrets. ' +
    'In new scripts use `ls --json`.',
  arguments: [],
  options: [],
  examples: ["nodecluster jlist | jq '.[].pm2_env.status'"],
};

/** @type {Run} */
export async function run(context) {
  context.print(jsonLine(await fetchProcessList(context)));
  return 0;
}
