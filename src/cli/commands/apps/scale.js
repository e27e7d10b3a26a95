import { NodeclusterError } from '../../../errors/error.js';
import { commandApps } from '../../actions/on-apps.js';
import { jsonOption } from '../../options.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'change how many workers an app has, while it serves',
  arguments: [
    { name: '<app>', summary: 'the app' },
    { name: '<instances>', summary: '4, +2, -1, or max for every core' },
  ],
  options: [jsonOption],
  examples: ['nodecluster scale api 4', 'nodecluster scale api +2', 'nodecluster scale api max'],
};

const wellFormed = /^([+-]?\d+|max)$/;

/** @param {Context} context */
export async function run(context) {
  const [selector, instances] = context.words;
  if (!wellFormed.test(instances)) {
    const detail = `instances must be a number, +n, -n or max, not '${instances}'`;
    throw new NodeclusterError('E_USAGE', { detail, command: 'scale' });
  }
  return commandApps(context, 'scale', { selector, instances });
}
