/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'show and control all apps on a page in the browser',
  details:
    'Serves the page until Ctrl-C, and prints a link that signs in once, within ten minutes; each use ' +
    'prints the next one. The page shows what monit shows, with graphs of the last hour.',
  arguments: [],
  options: [
    {
      flags: '--listen <address>',
      summary:
        'where to serve it: a port or host:port (default: 127.0.0.1:9477), or unix:/path of a socket; beyond this machine only with a proxy',
    },
    { flags: '--read-only', summary: 'refuse every change' },
    {
      flags: '--behind-proxy <url>',
      summary: 'what browsers open, if a proxy is in front: https://ops.example/nodecluster/',
    },
  ],
  examples: [
    'nodecluster web',
    'nodecluster web --read-only --listen unix:/run/nodecluster/web.sock --behind-proxy https://ops.example/nodecluster/',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { servePage } = await import('./serve.js');
  return servePage(context);
}
