/**
 * Lets workers accept from the sockets of other slots, and stop again. A worker gets such a socket by
 * its channel, as it gets its own; what it does not accept stays in the kernel's queue.
 */
import { AGENT_CMD } from '../../worker/agent-reports.js';
import { standInsFor } from './stand-ins.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { TcpHandle } from '../policies/listening-socket.js'
 * @import { SlotSockets } from './slot-sockets.js'
 * @import { Server as StandInServer } from './stand-ins.js'
 *
 * @typedef {StandInServer<ChildProcess> & {key: string}} Server
 */

/** The sockets of one address. */
export class Lending {
  /** By slot: the workers of others that have its socket. @type {Map<number, Set<ChildProcess>>} */
  #lent = new Map();
  /** Slots whose socket listens: the kernel gives it connections. @type {Set<number>} */
  #listening;

  /** @param {SlotSockets} sockets */
  constructor(sockets) {
    this.sockets = sockets;
    this.#listening = new Set(sockets.inherited);
  }

  /** @param {readonly Server[]} servers at its address, which accept */
  update(servers) {
    for (const { slot } of servers) this.#listening.add(slot);
    for (const [slot, handle] of this.sockets.slots) {
      if (this.#listening.has(slot)) this.#updateSlot(slot, handle, servers);
    }
  }

  /** @param {number} slot @param {TcpHandle} handle @param {readonly Server[]} servers */
  #updateSlot(slot, handle, servers) {
    const before = this.#lent.get(slot) ?? new Set();
    const standIns = new Set(standInsFor(slot, servers));
    const current = new Set();
    for (const { worker, key, isBlocked } of servers) {
      // It could not follow, so it keeps what it has until its event loop turns.
      const isStandIn = isBlocked ? before.has(worker) : standIns.has(worker);
      if (isStandIn) current.add(worker);
      if (isStandIn === before.has(worker) || !worker.connected) continue;
      const type = isStandIn ? 'accept-also' : 'accept-no-more';
      const message = { cmd: AGENT_CMD, type, key, slot };
      worker.send(message, /** @type {any} */ (isStandIn ? handle : undefined), () => {});
    }
    this.#lent.set(slot, current);
  }
}
