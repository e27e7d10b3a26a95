/**
 * Says from which sockets of an address each worker accepts. A worker gets such a socket by its channel;
 * what it does not accept stays in the kernel's queue.
 */
import { AGENT_CMD } from '../worker/agent-reports.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { TcpHandle } from './listening-socket.js'
 * @import { SlotSockets } from './slot-sockets.js'
 */

/** @typedef {Omit<Candidate<ChildProcess>, 'isOwn' | 'accepts'> & {key: string}} Server */

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

/**
 * Each stand-in costs two messages of the primary when its turn comes and goes, so not all of 64 workers stand in for
 * one. If these are blocked too, others follow.
 */
const MAX_STAND_INS = 4;

/**
 * @template Worker
 * @typedef {object} Candidate a worker that may have connections at one address
 * @property {Worker} worker
 * @property {number} slot
 * @property {boolean} isOwn the socket is that of its slot
 * @property {boolean} accepts from it so far
 * @property {boolean} isBlocked now
 * @property {boolean} wasBlocked now or a short time ago: the next client should not wait either
 */

/**
 * @template Worker
 * @param {number} slot whose socket it is
 * @param {readonly Candidate<Worker>[]} servers at the address of the socket
 * @returns {Worker[]} stand-ins are among them unless its own worker accepts. A blocked one does not
 *   stand in, since it could not
 */
export function acceptorsOf(slot, servers) {
  const own = servers.filter(({ isOwn }) => isOwn);
  const isServed = own.some(({ wasBlocked }) => !wasBlocked);
  const standIns = isServed ? [] : standInsOf(slot, servers);
  return [...own, ...standIns].map(({ worker }) => worker);
}

/**
 * @template Worker
 * @param {number} slot
 * @param {readonly Candidate<Worker>[]} servers
 */
function standInsOf(slot, servers) {
  return servers
    .filter(({ isOwn, isBlocked }) => !isOwn && !isBlocked)
    .sort((a, b) => Number(b.accepts) - Number(a.accepts) || rank(slot, a) - rank(slot, b))
    .slice(0, MAX_STAND_INS);
}

/** Others for each slot. @param {number} slot @param {{slot: number}} server */
function rank(slot, server) {
  const mixed = Math.imul(slot + 1, 0x9e3779b1) ^ Math.imul(server.slot + 1, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
}
