import { waitForExit } from '../../../api/daemon-exit.js';
import { NodeclusterError } from '../../../errors/error.js';
import { homePaths } from '../../../shared/home.js';
import { readLocks } from '../../../shared/processes/daemon-lock.js';
import { identify, isCertain } from '../../../shared/processes/identity.js';
import { hasService } from '../../../shared/processes/service-record.js';
import { sendSignal } from '../../../shared/processes/signal.js';
import { hasRunningApps } from '../../actions/recorded-apps.js';
import { request } from '../../actions/request.js';
import { jsonOption } from '../../options.js';
import { jsonText, maskLine } from '../../render/mask.js';

/**
 * @import { HomePaths } from '../../../shared/home.js'
 * @import { Context } from '../../context.js'
 * @import { CommandData, Run } from '../../verbs.js'
 */

const NO_ANSWER = ['E_DAEMON_SILENT', 'E_DAEMON_UNREACHABLE'];

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
    await killSilent(context, paths, NodeclusterError.from(thrown));
    nothing = 'No app was running.';
    return reach();
  });
  if (!client) {
    print(options.json ? jsonText({ apps: [], remembered: [] }) : nothing);
    return 0;
  }
  const daemon = identify(client.peer.pid);
  const reply = await request(context, client, 'kill', {});
  await waitForExit(daemon);
  print(options.json ? jsonText(reply) : maskLine(summaryOf(reply, hasService(paths.service))));
  return 0;
}

/**
 * The next daemon stops the apps.
 * @param {Pick<Context, 'note'>} context
 * @param {HomePaths} paths
 * @param {NodeclusterError} error of connecting to the daemon
 * @throws {NodeclusterError} the same, if it does not mean that a daemon runs and does not answer
 */
async function killSilent({ note }, { home }, error) {
  const holder = readLocks(home).at(-1)?.holder;
  const isSilent = NO_ANSWER.includes(error.code) && holder?.pid === error.data.pid;
  if (!isSilent || !holder || !isCertain(holder)) throw error;
  sendSignal(holder.pid, 'SIGKILL');
  await waitForExit(holder);
  note(`The daemon (pid ${holder.pid}) did not answer and was killed.`);
}

/**
 * @param {{apps: string[], remembered: string[]}} reply
 * @param {boolean} isService
 */
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
