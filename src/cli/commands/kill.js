import { waitForExit, hasRunningApps, killSilent } from '../../api/recorded-apps.js';
import { homePaths } from '../../shared/home.js';
import { identify } from '../../shared/processes/identity.js';
import { hasService } from '../../shared/processes/service-record.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'stop every app and the daemon',
  details: 'The apps stay in the list: `nodecluster resurrect` starts again those that ran.',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster kill'],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, print } = context;
  const paths = homePaths(daemons.home);
  const reach = () => (hasRunningApps(paths) ? daemons.open() : daemons.find());
  let nothing = 'Nothing to kill: no daemon and no app is running.';
  const client = await reach().catch(async (thrown) => {
    await killSilent(context, paths, thrown);
    nothing = 'No app was running.';
    return reach(); // the next daemon stops the apps
  });
  if (!client) {
    print(options.json ? jsonText({ apps: [], remembered: [] }) : nothing);
    return 0;
  }
  const daemon = identify(client.peer.pid);
  const reply = await context.request(client, 'kill', {});
  await waitForExit(daemon);
  print(options.json ? jsonText(reply) : escapeLine(summaryOf(reply, hasService(paths.service))));
  return 0;
}

/** @param {{apps: string[], remembered: string[]}} reply @param {boolean} isService */
function summaryOf({ apps, remembered }, isService) {
  const names = [...apps, ...(isService ? [] : ['the daemon'])];
  const last = names.pop();
  const list = names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? 'no app');
  const isSame = String(remembered) === String(apps);
  const what = isSame ? (apps.length === 1 ? 'it' : 'them') : remembered.join(', ');
  return [
    `Stopped ${list}.`,
    ...(remembered.length > 0 ? [`\`nodecluster resurrect\` starts ${what} again.`] : []),
    ...(isService ? ['The service starts another daemon.'] : []),
  ].join(' ');
}
