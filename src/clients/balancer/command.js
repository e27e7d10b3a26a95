import { NodeclusterError } from '../../errors/error.js';
import { serveAgent } from './agent-endpoint.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'tell HAProxy how much this machine can take (agent-check)',
  details:
    'Answers each connection with one line: up and a weight, which follows the number of ready ' +
    'workers and how busy their event loops are; up 0% while the app is being stopped; stopped or ' +
    'down when no worker is ready. Without a running daemon it says nothing, and HAProxy keeps ' +
    'what it knows. `nodecluster export haproxy` writes the other side.',
  arguments: [
    {
      name: '[app]',
      summary: 'for a balancer that does not name the app (agent-send); default: the only one',
    },
  ],
  options: [
    {
      flags: '--listen <address>',
      summary: 'where to answer; a port alone means every address of this machine',
    },
  ],
  examples: ['nodecluster agent --listen 9500', 'nodecluster agent --listen 10.0.0.5:9500 api'],
};

/** @type {Run} */
export async function run(context) {
  const { options, words } = context;
  if (options.listen === undefined) {
    const detail = 'Add the address where HAProxy asks: --listen 9500';
    throw new NodeclusterError('E_USAGE', { detail, command: 'agent' });
  }
  return serveAgent(context, options.listen, words[0] ?? null);
}
