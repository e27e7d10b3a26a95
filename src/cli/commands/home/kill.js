import { waitForExit } from '../../../api/daemon-exit.js';
import { identify } from '../../../shared/processes/identity.js';
import { request } from '../../actions/request.js';
import { jsonOption } from '../../options.js';
import { jsonText, maskLine } from '../../render/mask.js';

/** @import { CommandData, Run } from '../../verbs.js' */

/** @type {CommandData} */
export const command = {
  summary: 'stop every app and the daemon',
  details: 'The apps stay in the list: `nodecluster start <app>` starts one again.',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster kill'],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, print } = context;
  const client = await daemons.open();
  if (!client) {
    print(
      options.json
        ? jsonText({ apps: [] })
        : 'Nothing to kill: this home has no daemon and no apps.',
    );
    return 0;
  }
  const daemon = identify(client.peer.pid);
  const reply = await request(context, client, 'kill', {});
  await waitForExit(daemon);
  print(options.json ? jsonText(reply) : maskLine(summaryOf(reply.apps)));
  return 0;
}

/** @param {string[]} apps */
function summaryOf(apps) {
  return apps.length ? `Stopped ${apps.join(', ')} and the daemon.` : 'Stopped the daemon.';
}
