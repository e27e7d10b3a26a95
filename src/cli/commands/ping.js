import { NodeclusterError } from '../../errors/error.js';
import { jsonOption } from '../../show/command-options.js';
import { jsonText, escapeLine } from '../../show/escape.js';
import { formatAge } from '../../show/quantity.js';

/** @import { CommandData, Run } from '../command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'check whether the daemon is running; never starts it',
  arguments: [],
  options: [jsonOption],
  examples: ['nodecluster ping'],
};

/** @type {Run} */
export async function run({ daemons, options, print }) {
  const client = await daemons.find();
  if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
  const reply = await client.request('ping', {});
  const { pid, version, node, startedAt } = reply;
  const uptime = formatAge(Date.now() - startedAt);
  const sentence = `pong: nodecluster ${version}, pid ${pid}, Node ${node}, up ${uptime}`;
  print(options.json ? jsonText(reply) : escapeLine(sentence));
  return 0;
}
