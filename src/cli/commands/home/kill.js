import { setTimeout as pause } from 'node:timers/promises';
import { identify, isAlive } from '../../../shared/process-identity.js';
import { ask } from '../../actions/ask.js';
import { jsonOption } from '../../options.js';
import { jsonText, maskLine } from '../../render/mask.js';

/**
 * @import { ProcessIdentity } from '../../../shared/process-identity.js'
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'stop every app and the daemon',
  details: 'The apps stay known: `nodecluster start <app>` brings one back.',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster kill'],
};

/** How long the daemon may take to go once it has answered. */
const farewellMs = 10_000;
const lookMs = 10;

/** @param {Context} context */
export async function run(context) {
  const { daemons, options, print } = context;
  const client = await daemons.open('recorded');
  if (!client) {
    print(options.json ? jsonText({ apps: [] }) : 'Nothing to kill: no daemon and no apps here.');
    return 0;
  }
  const daemon = identify(client.peer.pid);
  const answer = await ask(context, client, 'kill', {});
  if (daemon) await untilGone(daemon);
  print(options.json ? jsonText(answer) : maskLine(farewell(answer.apps)));
  return 0;
}

/**
 * The next command, or whoever removes the home, shall not meet a daemon that is just ending.
 * @param {ProcessIdentity} daemon
 */
async function untilGone(daemon) {
  const deadline = performance.now() + farewellMs;
  while (isAlive(daemon) && performance.now() < deadline) await pause(lookMs);
}

/** @param {string[]} apps */
function farewell(apps) {
  return apps.length ? `Stopped ${apps.join(', ')} and the daemon.` : 'Stopped the daemon.';
}
