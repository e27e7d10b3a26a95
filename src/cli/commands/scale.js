import { NodeclusterError } from '../../errors/error.js';
import { commandApps } from '../actions/request.js';
import { jsonOption } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'change the number of workers of a running app',
  arguments: [
    { name: '<app>', summary: 'name of the app' },
    { name: '<instances>', summary: '4, +2, -1, or max for one worker per core' },
  ],
  options: [jsonOption],
  examples: ['nodecluster scale api 4', 'nodecluster scale api +2', 'nodecluster scale api max'],
};

/** @type {Run} */
export async function run(context) {
  const [selector, instances] = context.words;
  if (!/^([+-]?\d+|max)$/.test(instances)) {
    const detail = `instances must be a number, +n, -n or max, not '${instances}'`;
    throw new NodeclusterError('E_USAGE', { detail, command: 'scale' });
  }
  return commandApps(context, 'scale', { selector, instances });
}
