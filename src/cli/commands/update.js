import { daemonScript } from '../../api/launch-daemon.js';
import { isInstalled, replaceDaemon } from '../../api/launch-daemon.js';
import { NodeclusterError } from '../../errors/error.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { homePaths } from '../../shared/home.js';
import { VERSION } from '../../shared/version.js';
import { conclude } from '../actions/request.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { describeOtherVersions, describeUpdate } from '../render/versions.js';

/**
 * @import { DaemonIdentity } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 * @import { CommandData, Run } from '../command.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'replace the running daemon with the installed version, on this Node; apps keep running',
  details:
    'The new daemon takes over only once it has shown that it can start. Apps, their workers and ' +
    'connections are not touched.',
  arguments: [],
  options: [
    {
      flags: '--apps',
      summary:
        'also replace the primaries of other versions of nodecluster or Node, one by one, as in a reload',
    },
    jsonOption,
  ],
  examples: ['npm install -g nodecluster@latest && nodecluster update'],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, note, print } = context;
  const client = await daemons.open();
  if (!client) {
    const text = `No daemon is running. The next command starts nodecluster ${VERSION}.`;
    print(options.json ? jsonText({ before: null, after: null, apps: [] }) : text);
    return 0;
  }
  const status = await client.request('ping', {});
  if (status.isForeground) throw new NodeclusterError('E_UPDATE_FOREGROUND', { pid: status.pid });
  const { apps } = await client.request('list', {});
  const { pid, version, node } = status;
  const before = { daemon: { pid, version, node }, apps };
  const isCurrent = isInstalled(status, daemonScript(homePaths(daemons.home)));
  if (!isCurrent) daemons.close();
  const after = isCurrent ? before : await replaceDaemon(homePaths(daemons.home), context.env);
  const text = escapeLine(describeUpdate(before, after));
  if (options.apps)
    return updateApps(context, { before: before.daemon, after: after.daemon }, text);
  const report = { before: before.daemon, after: after.daemon, apps: [] };
  print(options.json ? jsonText(report) : text);
  const others = options.json ? [] : describeOtherVersions(after.daemon, after.apps);
  for (const line of others) note(escapeLine(line));
  return 0;
}

/**
 * @param {Context} context
 * @param {{before: DaemonIdentity, after: DaemonIdentity}} daemons
 * @param {string} text what was done to the daemon
 */
async function updateApps(context, daemons, text) {
  const { options, note, print } = context;
  if (!options.json) note(text);
  const client = await context.daemons.start();
  const result = await context.request(client, 'update-apps', {});
  const { apps } = result;
  if (options.json) print(jsonText({ ...daemons, apps }));
  else if (apps.length === 0) print('Every primary is up to date.');
  const isOk = apps.every(({ ok }) => ok);
  if (options.json || apps.length === 0) return isOk ? exitCodes.ok : exitCodes.appFailed;
  return conclude(context, result);
}
