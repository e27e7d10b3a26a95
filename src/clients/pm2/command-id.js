import { listWorkers } from './list-workers.js';

/** @import { CommandData, Run } from '../../cli/verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'print the worker ids of an app, as PM2 does',
  details: 'For an unknown app it prints `[]`.',
  arguments: [{ name: '<app>', summary: 'name of the app' }],
  options: [],
  examples: ['nodecluster id api'],
};

/** @type {Run} */
export async function run(context) {
  const [name] = context.words;
  const ids = (await listWorkers(context, name)).map(({ id }) => id);
  context.print(ids.length > 0 ? `[ ${ids.join(', ')} ]` : '[]');
  return 0;
}
