/**
 * Sends a connection to the worker that its client belongs to, in place of node:cluster's
 * round-robin, but with the same messages: the worker cannot tell the difference. They are the same
 * on Node 20, 22, 24 and 26.
 */
import { chooseWorker } from './sticky-choice.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission } from '../handover/admission.js'
 * @import { Address, TcpHandle } from './listening-socket.js'
 */

export class StickyWorkers {
  /** Of the latest message. node:cluster counts its own from 0 upwards. */
  #seq = 0;

  /** @param {Admission} admission */
  constructor(admission) {
    this.admission = admission;
  }

  /** @param {TcpHandle} listener @returns {StickyAddress | null} null: clients have no address */
  at(listener) {
    /** @type {Address} */
    const local = {};
    listener.getsockname?.(local);
    if (local.address === undefined) return null;
    return new StickyAddress(nameAddress(local), this.admission, () => --this.#seq);
  }
}

/** One address that the app listens on. */
export class StickyAddress {
  /** @param {string} address @param {Admission} admission @param {() => number} nextSeq */
  constructor(address, admission, nextSeq) {
    this.address = address;
    this.admission = admission;
    this.nextSeq = nextSeq;
  }

  /**
   * @param {TcpHandle} client
   * @param {ChildProcess | null} refusedBy a worker that did not take it
   * @returns {ChildProcess | null} the worker that it was sent to; null: none listens here
   */
  send(client, refusedBy) {
    const server = this.#serverOf(client, refusedBy);
    if (!server) return null;
    const { worker, key } = server;
    const message = { cmd: 'NODE_CLUSTER', act: 'newconn', key, seq: this.nextSeq() };
    worker.send(message, /** @type {any} */ (client));
    return worker;
  }

  /** @param {() => void} callback when a worker listens here; replaces an earlier one */
  onceServed(callback) {
    this.admission.onceServed(this.address, callback);
  }

  /** @param {TcpHandle} client @param {ChildProcess | null} refusedBy */
  #serverOf(client, refusedBy) {
    /** @type {Address} */
    const remote = {};
    client.getpeername?.(remote);
    // Without an address, it was closed by the client already.
    const { address = '' } = remote;
    const servers = this.admission.serversAt(this.address);
    const server = chooseWorker(address, servers);
    const canTake = (/** @type {{worker: ChildProcess}} */ { worker }) =>
      worker.connected && worker !== refusedBy;
    if (!server || canTake(server)) return server;
    // What is sent to a worker that turns out to be dead is handed on after its exit.
    return chooseWorker(address, servers.filter(canTake)) ?? server;
  }
}

/**
 * @param {Address} [address]
 * @returns {string} what tells it from other addresses; empty for a unix socket
 */
export function nameAddress({ address, port } = {}) {
  return address === undefined ? '' : `${address}:${port}`;
}
