/**
 * Says which workers accept from a socket that all of them have: its descriptor goes to them by their channels, and
 * what nobody accepts stays in the kernel's queue.
 */
import { availableParallelism } from 'node:os';
import { acceptorsOf, neededFor, stillNeeded } from '../../lifecycle/acceptors.js';
import { channelTo } from '../worker/channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission, Server } from './admission.js'
 * @import { FairSharing } from './fair-sharing.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

/**
 * Whether the event loops of the workers that accept turn, within milliseconds: if none does, clients wait. A worker reports
 * it only while it has connections, so an idle one costs nothing.
 */

/** Between two reports, which all workers send at the same moment. */
const TURNS_EVERY_MS = 25;
/** A worker that is silent for longer is blocked: its report is late by half the interval. */
const BLOCKED_MS = 40;
/** Checks that are so far apart mean that this primary did not run, so nobody is judged. */
const GAP_MS = 2 * BLOCKED_MS;
/**
 * Who was blocked may soon be again: others accept in its place for a time that is so many times as
 * long. One that only waited for a processor does not become a shared one for long.
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

  /** @param {ChildProcess} child that accepts from now on, and reports when it has read that */
  expect(child) {
    if (!this.#reportedMs.has(child)) this.#turns(child);
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

const CORES = availableParallelism();

/**
 * @typedef {object} Place an address at which workers accept
 * @property {TcpHandle} handle
 * @property {number} most that were needed lately
 * @property {number} mostMs when
 * @property {Map<ChildProcess, string>} accepting workers, and the keys under which they know the address
 */

export class Accepting {
  /** By address, as admission.js names it. @type {Map<string, Place>} */
  #places = new Map();
  turns;

  /**
   * @param {Admission} admission
   * @param {Pick<FairSharing, 'loadOf' | 'onSurplus'> | null} fairSharing null: all workers accept
   * @param {() => number} clock in milliseconds
   */
  constructor(admission, fairSharing, clock = () => performance.now()) {
    this.admission = admission;
    this.fairSharing = fairSharing;
    this.clock = clock;
    this.turns = new Turns(() => this.#update(), clock);
    admission.onChange.add((address) => this.#update(address));
    if (fairSharing) fairSharing.onSurplus = (address) => this.#needMore(address);
  }

  /** @param {string} address @param {TcpHandle} handle that node:cluster sends to each worker */
  add(address, handle) {
    if (this.#places.get(address)?.handle === handle) return;
    this.#places.set(address, { handle, most: 0, mostMs: 0, accepting: new Map() });
  }

  /** @param {TcpHandle} handle that is closed for good */
  forget(handle) {
    for (const [address, place] of this.#places) {
      if (place.handle === handle) this.#places.delete(address);
    }
  }

  /** One of those that accept hands over a connection. @param {string} address */
  #needMore(address) {
    const place = this.#places.get(address);
    if (!place) return;
    const nowMs = this.clock();
    const loads = this.admission.serversAt(address).map((server) => this.#loadOf(server));
    const needed = neededFor(loads, CORES);
    if (needed < stillNeeded(place.most, nowMs - place.mostMs)) return;
    const isMore = needed > place.accepting.size;
    place.most = needed;
    place.mostMs = nowMs;
    if (isMore) this.#update(address);
  }

  /** @param {Server} server */
  #loadOf({ worker, key }) {
    return this.fairSharing?.loadOf(worker, key) ?? 0;
  }

  /** @param {string} [address] default: all */
  #update(address) {
    const addresses = address === undefined ? [...this.#places.keys()] : [address];
    for (const each of addresses) {
      const place = this.#places.get(each);
      if (place) this.#updatePlace(place, this.admission.serversAt(each));
    }
  }

  /** @param {Place} place @param {readonly Server[]} servers that may have connections there */
  #updatePlace(place, servers) {
    const { handle, accepting: before } = place;
    const candidates = servers.map((server) => ({
      ...server,
      load: this.#loadOf(server),
      accepts: before.has(server.worker),
      isBlocked: this.turns.isBlocked(server.worker),
      wasBlocked: this.turns.wasBlocked(server.worker),
    }));
    const sinceMs = this.clock() - place.mostMs;
    const wanted = this.fairSharing ? stillNeeded(place.most, sinceMs) : Infinity;
    const chosen = acceptorsOf(candidates, wanted, CORES);
    // A blocked one could not follow, so it keeps the socket until its event loop turns.
    const kept = candidates.filter(
      (each) => chosen.includes(each) || (each.isBlocked && each.accepts),
    );
    place.accepting = new Map(kept.map(({ worker, key }) => [worker, key]));
    for (const { worker, key, accepts } of kept) {
      if (accepts) continue;
      const turnsEveryMs = this.fairSharing ? TURNS_EVERY_MS : null;
      if (turnsEveryMs) this.turns.expect(worker);
      channelTo(worker).send('accept-from', { key, turnsEveryMs }, { socket: handle });
    }
    for (const [worker, key] of before) {
      if (!place.accepting.has(worker)) channelTo(worker).send('accept-no-more', { key });
    }
  }
}
