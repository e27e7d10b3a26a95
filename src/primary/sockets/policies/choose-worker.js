/** Which worker gets a connection that the primary has accepted. */
import { handedTo } from '../handover/handed.js';
import { chooseWorker } from './sticky-choice.js';

/**
 * @import { Server } from '../handover/admission.js'
 * @import { Address, TcpHandle } from './listening-socket.js'
 */

/**
 * Round-robin: the one that has not got any for longest, of those that have acknowledged what they got.
 * @param {TcpHandle} _client
 * @param {readonly Server[]} servers
 */
export function chooseFree(_client, servers) {
  /** @type {Server | null} */
  let chosen = null;
  let earliest = Infinity;
  for (const server of servers) {
    const { isFree, latestSend } = handedTo(server.worker);
    if (!isFree || latestSend >= earliest) continue;
    chosen = server;
    earliest = latestSend;
  }
  return chosen;
}

/**
 * Sticky: the one that the client's address belongs to, free or not.
 * @param {TcpHandle} client
 * @param {readonly Server[]} servers
 */
export function chooseOwn(client, servers) {
  /** @type {Address} */
  const remote = {};
  client.getpeername?.(remote);
  // Without an address, it was closed by the client already.
  const { address = '' } = remote;
  const server = chooseWorker(address, servers);
  if (!server || server.worker.connected) return server;
  // What is sent to a worker that turns out to be dead is handed on after its exit.
  return (
    chooseWorker(
      address,
      servers.filter(({ worker }) => worker.connected),
    ) ?? server
  );
}
