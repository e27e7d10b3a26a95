/**
 * Says from which sockets of an address each worker accepts. A worker gets such a socket by its channel;
 * what it does not accept stays in the kernel's queue.
 */
import { AGENT_CMD } from '../../worker/agent-reports.js';
import { acceptorsOf } from './acceptors.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { TcpHandle } from '../policies/listening-socket.js'
 * @import { Server as Candidate } from './acceptors.js'
 * @import { SlotSockets } from './slot-sockets.js'
 *
 * @typedef {Omit<Candidate<ChildProcess>, 'isOwn' | 'accepts'> & {key: string}} Server
 */

/** The sockets of one address. */
export class Lending {
  /** By slot: the workers that accept from its socket, and the keys under which they know the address. @type {Map<number, Map<ChildProcess, string>>} */
  #acceptors = new Map();
  /** Sockets that listen: the kernel gives them connections. @type {Set<TcpHandle>} */
  #listening;

  /** @param {SlotSockets} sockets */
  constructor(sockets) {
    this.sockets = sockets;
    this.#listening = new Set(sockets.inherited.map((slot) => sockets.handleOf(slot)));
  }

  /** @param {readonly Server[]} servers at its address, which may have connections */
  update(servers) {
    for (const { slot } of servers) this.#listening.add(this.sockets.handleOf(slot));
    for (const [slot, handle] of this.sockets.slots) {
      if (this.#listening.has(handle)) this.#updateSlot(slot, handle, servers);
    }
  }

  /** @param {number} slot @param {TcpHandle} handle @param {readonly Server[]} servers */
  #updateSlot(slot, handle, servers) {
    const before = this.#acceptors.get(slot) ?? new Map();
    const candidates = servers.map((server) => ({
      ...server,
      isOwn: this.sockets.handleOf(server.slot) === handle,
      accepts: before.has(server.worker),
    }));
    const acceptors = acceptorsOf(slot, candidates);
    /** @type {Map<ChildProcess, string>} */
    const current = new Map();
    for (const { worker, key, isBlocked } of servers) {
      // A blocked one could not follow, so it keeps what it has until its event loop turns.
      const accepts = isBlocked ? before.has(worker) : acceptors.includes(worker);
      if (!accepts) continue;
      current.set(worker, key);
      if (!before.has(worker)) send(worker, { type: 'accept-from', key, slot }, handle);
    }
    for (const [worker, key] of before) {
      if (!current.has(worker)) send(worker, { type: 'accept-no-more', key, slot });
    }
    this.#acceptors.set(slot, current);
  }
}

/** @param {ChildProcess} worker @param {object} message @param {TcpHandle} [handle] */
function send(worker, message, handle) {
  if (!worker.connected) return;
  worker.send({ cmd: AGENT_CMD, ...message }, /** @type {any} */ (handle), () => {});
}
