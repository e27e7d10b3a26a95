import { NodeclusterError } from '../../../errors/error.js';
import { jsonOption } from '../../options.js';
import { jsonText, maskLine } from '../../render/mask.js';
import { uptime } from '../../render/quantity.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'ask whether the daemon runs; never starts it',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster ping'],
};

/** @param {Context} context */
export async function run({ daemons, options, print }) {
  const client = await daemons.open('never');
  if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
  const answer = await client.request('ping', {});
  const { pid, version, node, uptimeMs } = answer;
  const words = `pong: nodecluster ${version}, pid ${pid}, Node ${node}, up ${uptime(uptimeMs)}`;
  print(options.json ? jsonText(answer) : maskLine(words));
  return 0;
}
