/** Says which workers accept from a socket that all of them have. What nobody accepts stays in the kernel's queue. */
import { availableParallelism } from 'node:os';
import {
  ALL_OF,
  CALM_MS,
  FEWEST,
  acceptorsOf,
  neededFor,
  stillNeeded,
} from '../../lifecycle/fair-share.js';
import { channelTo } from '../worker/channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission, Server } from './admission.js'
 * @import { FairSharing } from './fair-sharing.js'
 * @import { TcpHandle } from './listening-sockets.js'
 */

const CORES = availableParallelism();
/** After a worker had no descriptor left for the socket. */
const RETRY_MS = 500;

/**
 * @typedef {object} Place an address at which workers accept
 * @property {TcpHandle} handle
 * @property {number} most that were needed lately
 * @property {number} mostMs when
 * @property {NodeJS.Timeout} [timer] until fewer may be enough
 * @property {Map<ChildProcess, {key: string, reports: boolean}>} accepting reports: whether they say that their loops turn
 */

export class Accepting {
  /** By address, as admission.js names it. @type {Map<string, Place>} */
  places = new Map();
  turns;

  /**
   * @param {Admission} admission
   * @param {Pick<FairSharing, 'loadOf' | 'onSurplus'>} fairSharing
   * @param {() => number} clock
   */
  constructor(admission, fairSharing, clock = () => performance.now()) {
    this.admission = admission;
    this.fairSharing = fairSharing;
    this.clock = clock;
    this.turns = new Turns(() => this.#update(), clock);
    admission.onChange.add((address) => this.#update(address));
    fairSharing.onSurplus = (address) => this.#needMore(address);
  }

  /** @param {string} address @param {TcpHandle} handle that node:cluster sends to each worker */
  add(address, handle) {
    if (this.places.get(address)?.handle === handle) return;
    this.places.set(address, { handle, most: 0, mostMs: 0, accepting: new Map() });
  }

  /** One of those that accept hands over a connection. @param {string} address */
  #needMore(address) {
    const place = this.places.get(address);
    if (!place) return;
    const nowMs = this.clock();
    const loads = this.admission.serversAt(address).map((server) => this.#loadOf(server));
    const needed = neededFor(loads, CORES);
    if (needed < this.#wanted(place)) return;
    place.most = needed;
    place.mostMs = nowMs;
    if (needed > place.accepting.size) this.#update(address);
    this.#calmLater(address, place);
  }

  /** @param {string} address @param {Place} place */
  #calmLater(address, place) {
    place.timer ??= setTimeout(() => {
      place.timer = undefined;
      if (this.places.get(address) !== place) return;
      this.#update(address);
      if (this.#wanted(place) > FEWEST) this.#calmLater(address, place);
    }, CALM_MS).unref();
  }

  /** @param {Place} place */
  #wanted({ most, mostMs }) {
    return stillNeeded(most, this.clock() - mostMs);
  }

  /** @param {Server} server */
  #loadOf({ worker, key }) {
    return this.fairSharing.loadOf(worker, key);
  }

  /** @param {string} [address] default: all */
  #update(address) {
    const addresses = address === undefined ? [...this.places.keys()] : [address];
    for (const each of addresses) {
      const place = this.places.get(each);
      const servers = this.admission.serversAt(each);
      if (place) this.#updatePlace(each, place, servers);
      // Its socket may be closed now, and a program may listen on a new port each time.
      if (servers.length === 0 && !this.admission.isListenedOn(each)) this.places.delete(each);
    }
  }

  /** @param {string} address @param {Place} place @param {readonly Server[]} servers that may have connections there */
  #updatePlace(address, place, servers) {
    const { handle, accepting: before } = place;
    const candidates = servers.map((server) => ({
      ...server,
      load: this.#loadOf(server),
      accepts: before.has(server.worker),
      isBlocked: this.turns.isBlocked(server.worker),
      wasBlocked: this.turns.wasBlocked(server.worker),
    }));
    const chosen = acceptorsOf(candidates, this.#wanted(place), CORES);
    // A blocked one could not follow, so it keeps the socket until its event loop turns.
    const kept = candidates.filter(
      (each) => chosen.includes(each) || (each.isBlocked && each.accepts),
    );
    // Where all accept anyway, nobody is called in the place of a blocked one.
    const reports = servers.length > ALL_OF;
    place.accepting = new Map(kept.map(({ worker, key }) => [worker, { key, reports }]));
    for (const { worker, key, accepts } of kept) {
      if (accepts && before.get(worker)?.reports === reports) continue;
      if (reports) this.turns.expect(worker);
      const order = { key, ...(reports && REPORTS) };
      const onRefused = () => {
        place.accepting.delete(worker);
        setTimeout(() => this.#update(address), RETRY_MS).unref();
      };
      channelTo(worker).send('accept', order, accepts ? {} : { socket: handle, onRefused });
    }
    for (const [worker, { key }] of before) {
      if (!place.accepting.has(worker)) channelTo(worker).send('accept-no-more', { key });
    }
  }
}

/** Between two reports of a worker with connections; all workers send theirs at the same moment. */
const TURNS_EVERY_MS = 25;
/** Between two of an idle one: few accept, so these cost little. */
const RESTS_EVERY_MS = 500;
const REPORTS = { turnsEveryMs: TURNS_EVERY_MS, restsEveryMs: RESTS_EVERY_MS };
/** A worker whose report is so late is blocked. */
const LATE_MS = 15;
/** A look that is so late means that this primary did not run, so nobody is judged. */
const GAP_MS = 40;
/** Who was blocked may soon be again: others accept in its place for so many times as long. */
const WARY_FACTOR = 10;
const MAX_WARY_MS = 10_000;

/** Whether the event loops of workers that accept turn, within milliseconds: else clients wait while others are idle. */
export class Turns {
  /** Of workers that accept: when each was last heard, and when it is to be heard again. @type {Map<ChildProcess, {heardMs: number, dueMs: number}>} */
  #heard = new Map();
  /** Until when a worker counts as blocked lately; Infinity: it is blocked. @type {Map<ChildProcess, number>} */
  #waryUntilMs = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #lookAtMs = Infinity;

  /** @param {() => void} onChange @param {() => number} clock in milliseconds */
  constructor(onChange, clock = () => performance.now()) {
    this.onChange = onChange;
    this.clock = clock;
  }

  /** @param {ChildProcess} child with an agent */
  watch(child) {
    // null: it accepts no more. Programs can forge the message.
    channelTo(child).on('turns', ({ nextMs }) => this.#hear(child, Number(nextMs)));
    child.once('exit', () => {
      this.#heard.delete(child);
      this.#waryUntilMs.delete(child);
    });
  }

  /** @param {ChildProcess} child that accepts from now on, and reports as soon as it has read that */
  expect(child) {
    if (!this.#heard.has(child)) this.#hear(child, TURNS_EVERY_MS);
  }

  /** @param {ChildProcess} child */
  isBlocked(child) {
    return this.#waryUntilMs.get(child) === Infinity;
  }

  /** @param {ChildProcess} child @returns {boolean} also while it is blocked */
  wasBlocked(child) {
    return this.#waryUntilMs.has(child);
  }

  /** @param {ChildProcess} child @param {number} nextMs until its next report; 0: there is none */
  #hear(child, nextMs) {
    const nowMs = this.clock();
    const silentSinceMs = this.#heard.get(child)?.heardMs ?? nowMs;
    const dueMs = nowMs + Math.min(nextMs, RESTS_EVERY_MS) + LATE_MS;
    if (nextMs > 0) this.#heard.set(child, { heardMs: nowMs, dueMs });
    else this.#heard.delete(child);
    if (this.isBlocked(child)) {
      const waryMs = Math.min(MAX_WARY_MS, WARY_FACTOR * (nowMs - silentSinceMs));
      this.#waryUntilMs.set(child, nowMs + waryMs);
      this.onChange();
    }
    this.#lookSoon();
  }

  #lookSoon() {
    const due = [...this.#heard].map(([child, { dueMs }]) =>
      this.isBlocked(child) ? Infinity : dueMs,
    );
    const nextMs = Math.min(...due, ...this.#waryUntilMs.values());
    if (nextMs === Infinity || (this.#timer && nextMs >= this.#lookAtMs)) return;
    clearTimeout(this.#timer);
    this.#lookAtMs = nextMs;
    // What has been reported meanwhile is read first.
    const look = () => setImmediate(() => this.look());
    this.#timer = setTimeout(look, Math.max(1, nextMs - this.clock())).unref();
  }

  look() {
    const nowMs = this.clock();
    const hasRun = nowMs - this.#lookAtMs < GAP_MS;
    this.#timer = undefined;
    this.#lookAtMs = Infinity;
    let hasChanged = false;
    for (const [child, heard] of this.#heard) {
      if (nowMs < heard.dueMs || this.isBlocked(child)) continue;
      if (hasRun) this.#waryUntilMs.set(child, Infinity);
      else heard.dueMs = nowMs + GAP_MS;
      hasChanged ||= hasRun;
    }
    for (const [child, untilMs] of this.#waryUntilMs) {
      if (nowMs < untilMs) continue;
      this.#waryUntilMs.delete(child);
      hasChanged = true;
    }
    if (hasChanged) this.onChange();
    this.#lookSoon();
  }
}
