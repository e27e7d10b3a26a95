/** Whom a worker waits for, if it waits for a server. */
import { networkInterfaces } from 'node:os';
import { groupBy } from '../../shared/groups.js';
import { isLoopback } from '../../shared/listen-address.js';
import {
  findListeningProcesses,
  nameListener,
} from '../../shared/processes/listening-processes.js';

/** @import { App, Worker } from '../../protocol/shapes.js' */

/** @param {string[]} peers of all workers, `127.0.0.1:4310 ×3` @param {App[]} apps that may listen there @returns {string[]} a line, or none */
export function nameServers(peers, apps) {
  const groups = groupBy(peers, (peer) => peer.split(' ×')[0]);
  const named = [...groups].map(([address, same]) => {
    const count = same.reduce((sum, peer) => sum + Number(peer.split(' ×')[1] ?? 1), 0);
    return [`${address} ×${count}`, holderAt(address, apps)].filter(Boolean).join(' of ');
  });
  return named.length > 0 ? [`connected to ${named.join(', ')}`] : [];
}

/** Who listens there, if it is this machine. @param {string} peer @param {App[]} apps */
function holderAt(peer, apps) {
  const [, host = '', port] = /^(.*):(\d+)\b/.exec(peer) ?? [];
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  if (!isLoopback(host) && !own.some(({ address }) => address === host)) return undefined;
  const listens = (/** @type {Worker} */ { listening }) =>
    listening.some(({ address }) => address.endsWith(`:${port}`));
  const app = apps.find(({ workers }) => workers.some(listens));
  if (app) return app.name;
  return nameListener(findListeningProcesses({ port: Number(port) }), null);
}
