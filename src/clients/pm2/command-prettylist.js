import { inspect } from 'node:util';
import { fetchProcessList } from './process-list.js';
import { maskMessage } from '../../show/mask.js';

/** @import { CommandData, Run } from '../../cli/verbs.js' */

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
  const text = inspect(list, { depth: null, maxArrayLength: null, colors: stdout.colours });
  const lines = text.split('\n').map((line) => maskMessage(line, stdout.colours));
  print(lines.join('\n'));
  return 0;
}
