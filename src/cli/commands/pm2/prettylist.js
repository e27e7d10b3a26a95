import { inspect } from 'node:util';
import { fetchProcessList } from '../../pm2/process-list.js';

/** @import { CommandData, Run } from '../../verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'print the workers in the shape of PM2, formatted for reading',
  arguments: [],
  options: [],
  examples: ['nodecluster prettylist'],
};

/** @type {Run} */
export async function run(context) {
  const { print, stdout } = context;
  const list = await fetchProcessList(context);
  print(inspect(list, { depth: null, maxArrayLength: null, colors: stdout.colours }));
  return 0;
}
