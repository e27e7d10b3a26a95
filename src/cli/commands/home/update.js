import { replaceDaemon } from '../../../api/replace-daemon.js';
import { daemonScript } from '../../../api/launch-daemon.js';
import { homePaths } from '../../../shared/home.js';
import { VERSION } from '../../../shared/version.js';
import { jsonOption } from '../../options.js';
import { jsonText, maskLine } from '../../render/mask.js';
import { describeUpdate } from '../../render/versions/update.js';

/**
 * @import { DaemonClient } from '../../../protocol/methods.js'
 * @import { Context } from '../../context.js'
 * @import { CommandData, Run } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'replace the running daemon by the installed version; apps keep running',
  details:
    'The new daemon takes over only when it has proven that it can start. Apps, their workers and ' +
    'connections are not touched.',
  arguments: [],
  options: [jsonOption],
  examples: ['npm install -g nodecluster@latest && nodecluster update'],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, print } = context;
  const client = await daemons.open();
  if (!client) {
    const text = `No daemon is running. The next command starts nodecluster ${VERSION}.`;
    print(options.json ? jsonText({ daemon: null, apps: [] }) : text);
    return 0;
  }
  const { daemon, apps } = await client.request('list', {});
  const before = { daemon: { pid: daemon.pid, version: daemon.version }, apps };
  const after = (await isCurrent(context, client)) ? before : await takeOver(context);
  const report = { before: before.daemon, after: after.daemon, apps: after.apps };
  print(options.json ? jsonText(report) : maskLine(describeUpdate(before, after)));
  return 0;
}

/** Whether the daemon runs what is installed. @param {Context} context @param {DaemonClient} client */
async function isCurrent({ daemons }, client) {
  const { root } = await client.request('ping', {});
  return root !== undefined && daemonScript(homePaths(daemons.home)).startsWith(root);
}

/** @param {Context} context */
async function takeOver({ daemons, env }) {
  daemons.close();
  const client = await replaceDaemon(homePaths(daemons.home), env);
  try {
    return await client.request('list', {});
  } finally {
    client.close();
  }
}
