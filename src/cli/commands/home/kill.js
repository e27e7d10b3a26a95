import { readFileSync } from 'node:fs';
import { waitForExit } from '../../../api/daemon-exit.js';
import { listDirectory } from '../../../config/file/inspect-path.js';
import { homePaths } from '../../../shared/home.js';
import { identify, isAlive } from '../../../shared/processes/identity.js';
import { request } from '../../actions/request.js';
import { jsonOption } from '../../options.js';
import { jsonText, maskLine } from '../../render/mask.js';

/**
 * @import { HomePaths } from '../../../shared/home.js'
 * @import { CommandData, Run } from '../../verbs.js'
 */

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
  const client = await (hasRunningApps(homePaths(daemons.home)) ? daemons.open() : daemons.find());
  if (!client) {
    const nothing = 'Nothing to kill: no daemon and no app is running.';
    print(options.json ? jsonText({ apps: [], remembered: [] }) : nothing);
    return 0;
  }
  const daemon = identify(client.peer.pid);
  const reply = await request(context, client, 'kill', {});
  await waitForExit(daemon);
  print(options.json ? jsonText(reply) : maskLine(summaryOf(reply)));
  return 0;
}

/**
 * @param {HomePaths} paths
 * @returns {boolean} true even if no daemon is running: the primaries will start one
 */
function hasRunningApps({ appsDir, app }) {
  return listDirectory(appsDir).some((name) => {
    try {
      return isAlive(JSON.parse(readFileSync(app(name).record, 'utf8')));
    } catch {
      return false;
    }
  });
}

/** @param {{apps: string[], remembered: string[]}} reply */
function summaryOf({ apps, remembered }) {
  const stopped =
    apps.length > 0 ? `Stopped ${apps.join(', ')} and the daemon.` : 'Stopped the daemon.';
  if (remembered.length === 0) return stopped;
  const isSame = String(remembered) === String(apps);
  const what = isSame ? (apps.length === 1 ? 'it' : 'them') : remembered.join(', ');
  return `${stopped} \`nodecluster resurrect\` starts ${what} again.`;
}
