import { NodeclusterError } from '../../errors/error.js';
import { conclude } from '../actions/request.js';
import { jsonOption } from '../../show/command-options.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'start again what `kill` stopped',
  details:
    'Apps and workers that had been stopped before `kill` stay stopped, and deleted apps do not ' +
    'come back. After a reboot it waits until the apps that ran are online.',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster kill && nodecluster resurrect'],
};

/** @type {Run} */
export async function run(context) {
  const client = await context.openForApps();
  const result = await context.request(client, 'resurrect', {});
  if (result.apps.length === 0) {
    const { apps } = await client.request('list', {});
    const { home } = context.daemons;
    if (apps.length === 0) throw new NodeclusterError('E_NO_APPS', { home, keepsNoSnapshot: true });
    context.note(
      'Nothing to start: every app was stopped with `stop`. `nodecluster start all` starts them.',
    );
  }
  return conclude(context, client, result);
}
