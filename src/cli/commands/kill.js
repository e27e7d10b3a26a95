import { once } from 'node:events';
import { ask } from '../ask.js';
import { jsonOption } from '../options.js';
import { jsonText, maskLine } from '../render/mask.js';

/** @type {import('../verbs.js').CommandData} */
export const command = {
  summary: 'stop every app and the daemon',
  details: 'The apps stay known: `nodecluster start <app>` brings one back.',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster kill'],
};

/** How long the daemon may take to go once it has answered. */
const farewellMs = 10_000;

/** @param {import('../context.js').Context} context */
export async function run(context) {
  const { daemons, options, print } = context;
  const client = await daemons.open('recorded');
  if (!client) {
    print(options.json ? jsonText({ apps: [] }) : 'Nothing to kill: no daemon and no apps here.');
    return 0;
  }
  const gone = once(client, 'close', { signal: AbortSignal.timeout(farewellMs) }).catch(() => {});
  const answer = await ask(context, client, 'kill', {});
  await gone;
  print(options.json ? jsonText(answer) : maskLine(farewell(answer.apps)));
  return 0;
}

/** @param {string[]} apps */
function farewell(apps) {
  return apps.length ? `Stopped ${apps.join(', ')} and the daemon.` : 'Stopped the daemon.';
}
