/**
 * Sends a connection to the worker that its client belongs to, in place of node:cluster's
 * round-robin, but with the same messages: the worker cannot tell the difference. They are the same
 * on Node 20, 22, 24 and 26.
 */
import { chooseWorker } from './sticky-choice.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission } from './admission.js'
 * @import { Address, TcpHandle } from './listening-socket.js'
 */

/**
 * @typedef {(client: TcpHandle, refusedBy: ChildProcess | null) => ChildProcess | null}
 *   SendToOwnWorker `refusedBy`: the worker that it was sent to before. Returns the worker that it was
 *   sent to. null: round-robin decides, since the client has no address, no worker listens, or its
 *   own worker wants no more connections
 */

export class StickyWorkers {
  /** Of its messages. node:cluster counts its own from 0 upwards. */
  #seq = 0;

  /** @param {Admission} admission */
  constructor(admission) {
    this.admission = admission;
  }

  /** @param {TcpHandle} listener @returns {SendToOwnWorker} for the connections to it */
  senderAt(listener) {
    /** @type {Address} */
    const address = {};
    listener.getsockname?.(address);
    const local = nameAddress(address);
    return (client, refusedBy) => this.#send(local, client, refusedBy);
  }

  /** @type {(local: string, ...connection: Parameters<SendToOwnWorker>) => ChildProcess | null} */
  #send(local, client, refusedBy) {
    /** @type {Address} */
    const remote = {};
    client.getpeername?.(remote);
    if (remote.address === undefined) return null;
    const server = chooseWorker(remote.address, this.admission.serversAt(local));
    if (!server || server.worker === refusedBy || !server.worker.connected) return null;
    const { worker, key } = server;
    this.#seq -= 1;
    const message = { cmd: 'NODE_CLUSTER', act: 'newconn', key, seq: this.#seq };
    worker.send(message, /** @type {any} */ (client));
    return worker;
  }
}

/**
 * @param {Address} [address]
 * @returns {string} what tells it from other addresses; empty for a unix socket
 */
export function nameAddress({ address, port } = {}) {
  return address === undefined ? '' : `${address}:${port}`;
}
