/**
 * Gives each worker the socket of its slot to listen on, and says from which sockets it accepts. It gets such a socket by
 * its channel; what it does not accept stays in the kernel's queue.
 */
import { channelTo } from '../worker/channel.js';
import { SlotSockets } from './slot-sockets.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission } from './admission.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

/**
 * Whether the event loops of workers turn, within milliseconds: a client whose connection the kernel
 * puts into the queue of a blocked worker would wait. A worker reports it only while it has
 * connections, so an idle one costs nothing.
 */

/** Between two reports, which all workers send at the same moment. */
const TURNS_EVERY_MS = 25;
/** A worker that is silent for longer is blocked: its report is late by half the interval. */
const BLOCKED_MS = 40;
/** Checks that are so far apart mean that this primary did not run, so nobody is judged. */
const GAP_MS = 2 * BLOCKED_MS;
/**
 * Who was blocked may soon be again: others go on accepting in its place for a time that is so many
 * times as long. One that only waited for a processor does not become a shared one for long.
 */
const WARY_FACTOR = 10;
const MAX_WARY_MS = 10_000;

export class Turns {
  /** Workers with connections, and when each was last heard. @type {Map<ChildProcess, number>} */
  #reportedMs = new Map();
  /** Until when a worker counts as blocked lately; Infinity: it is blocked. @type {Map<ChildProcess, number>} */
  #waryUntilMs = new Map();
  /** While no report comes. @type {NodeJS.Timeout | null} */
  #timer = null;
  /** @type {NodeJS.Immediate | null} */
  #immediate = null;
  #lookedMs = 0;

  /** @param {() => void} onChange @param {() => number} clock in milliseconds */
  constructor(onChange, clock = () => performance.now()) {
    this.onChange = onChange;
    this.clock = clock;
  }

  /** @param {ChildProcess} child with an agent */
  watch(child) {
    channelTo(child).on('turns', () => this.#turns(child));
    channelTo(child).on('rests', () => {
      this.#unblock(child);
      this.#reportedMs.delete(child);
    });
    child.once('exit', () => {
      this.#reportedMs.delete(child);
      this.#waryUntilMs.delete(child);
    });
  }

  /** @param {ChildProcess} child */
  isBlocked(child) {
    return this.#waryUntilMs.get(child) === Infinity;
  }

  /** @param {ChildProcess} child @returns {boolean} also while it is blocked */
  wasBlocked(child) {
    return this.#waryUntilMs.has(child);
  }

  /** @param {ChildProcess} child */
  #turns(child) {
    this.#unblock(child);
    this.#reportedMs.set(child, this.clock());
    // The reports of others came at the same time, and are read first.
    if (this.#immediate === null) this.#immediate = setImmediate(() => this.look());
  }

  /** @param {ChildProcess} child */
  #unblock(child) {
    const silentSinceMs = this.#reportedMs.get(child);
    if (silentSinceMs === undefined || !this.isBlocked(child)) return;
    const nowMs = this.clock();
    const waryMs = Math.min(MAX_WARY_MS, WARY_FACTOR * (nowMs - silentSinceMs));
    this.#waryUntilMs.set(child, nowMs + waryMs);
    this.onChange();
  }

  /** Judges who is silent. Every report is a reason to look, and so is none for a while. */
  look() {
    this.#immediate = null;
    const nowMs = this.clock();
    const gapMs = nowMs - this.#lookedMs;
    this.#lookedMs = nowMs;
    if (gapMs <= GAP_MS && this.#judge(nowMs)) this.onChange();
    const isIdle = this.#reportedMs.size + this.#waryUntilMs.size === 0;
    if (!isIdle && this.#timer) this.#timer.refresh();
    else if (!isIdle) this.#timer = setTimeout(() => this.look(), BLOCKED_MS).unref();
    else if (this.#timer) clearTimeout(this.#timer);
    if (isIdle) this.#timer = null;
  }

  /** @param {number} nowMs @returns {boolean} whether anything has changed */
  #judge(nowMs) {
    let hasChanged = false;
    for (const [child, reportedMs] of this.#reportedMs) {
      if (nowMs - reportedMs < BLOCKED_MS || this.isBlocked(child)) continue;
      this.#waryUntilMs.set(child, Infinity);
      hasChanged = true;
    }
    for (const [child, untilMs] of this.#waryUntilMs) {
      if (nowMs < untilMs) continue;
      this.#waryUntilMs.delete(child);
      hasChanged = true;
    }
    return hasChanged;
  }
}

export class SlotSharing {
  /** By address, as admission.js names it. @type {Map<string, Acceptors>} */
  #addresses = new Map();
  /** By the handle that node:cluster has. @type {Map<TcpHandle, SlotSockets>} */
  #groups = new Map();
  turns = new Turns(() => this.update());

  /** @param {Admission} admission */
  constructor(admission) {
    this.admission = admission;
    admission.onChange.add(() => this.update());
  }

  /** @param {object} socket that node:cluster has opened */
  add(socket) {
    if (socket instanceof SlotSockets && socket.isGroup) this.#groups.set(socket.handle, socket);
  }

  /**
   * @param {string} address
   * @param {TcpHandle | undefined} handle that node:cluster sends
   * @param {number} slot of the worker
   * @returns what the program listens on instead; null: all get the same socket there
   */
  grant(address, handle, slot) {
    const sockets = handle && this.#groups.get(handle);
    if (!sockets) return null;
    if (this.#addresses.get(address)?.sockets !== sockets) {
      this.#addresses.set(address, new Acceptors(sockets));
    }
    return { handle: sockets.handleOf(slot), turnsEveryMs: TURNS_EVERY_MS };
  }

  /** @param {{handle: TcpHandle}} sockets that are closed for good */
  forget(sockets) {
    this.#groups.delete(sockets.handle);
    for (const [address, acceptors] of this.#addresses) {
      if (acceptors.sockets === sockets) this.#addresses.delete(address);
    }
  }

  /** Call this when other workers serve than before. */
  update() {
    for (const [address, acceptors] of this.#addresses) {
      const judged = this.admission.serversAt(address).map((server) => ({
        ...server,
        isBlocked: this.turns.isBlocked(server.worker),
        wasBlocked: this.turns.wasBlocked(server.worker),
      }));
      acceptors.update(judged);
    }
  }
}

/** @typedef {Omit<Candidate<ChildProcess>, 'isOwn' | 'accepts'> & {key: string}} Server */

/** The sockets of one address. */
export class Acceptors {
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
      if (!acceptors.includes(worker) && !(isBlocked && before.has(worker))) continue;
      current.set(worker, key);
      if (before.has(worker)) continue;
      channelTo(worker).send('accept-from', { key, slot }, { socket: handle });
    }
    for (const [worker, key] of before) {
      if (!current.has(worker)) channelTo(worker).send('accept-no-more', { key, slot });
    }
    this.#acceptors.set(slot, current);
  }
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
