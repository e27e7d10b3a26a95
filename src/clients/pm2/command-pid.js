import { listWorkers } from './list-workers.js';

/** @import { CommandData, Run } from '../../cli/verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'print the process ids of an app or of all, one per line',
  details:
    'For a worker that does not run it prints 0, as PM2 does, and for an unknown app nothing.',
  arguments: [{ name: '[app]', summary: 'name of the app' }],
  options: [],
  examples: ['nodecluster pid api'],
};

/** @type {Run} */
export async function run(context) {
  const workers = await listWorkers(context, context.words.at(0) ?? null);
  if (workers.length > 0) context.print(workers.map(({ pid }) => pid ?? 0).join('\n'));
  return 0;
}
