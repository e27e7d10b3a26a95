/**
 * Says which workers accept from a socket that all of them have: its descriptor goes to them by their channels, and
 * what nobody accepts stays in the kernel's queue.
 */
import { availableParallelism } from 'node:os';
import {
  ALL_OF,
  CALM_MS,
  FEWEST,
  acceptorsOf,
  neededFor,
  stillNeeded,
} from '../../lifecycle/acceptors.js';
import { channelTo } from '../worker/channel.js';
import { REPORTS, Turns } from './turns.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission, Server } from './admission.js'
 * @import { FairSharing } from './fair-sharing.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

const CORES = availableParallelism();

/**
 * @typedef {object} Place an address at which workers accept
 * @property {TcpHandle} handle
 * @property {number} most that were needed lately
 * @property {number} mostMs when
 * @property {NodeJS.Timeout} [timer] until fewer may be enough
 * @property {Map<ChildProcess, {key: string, reports: boolean}>} accepting workers, under which key they know the
 *   address, and whether they report that their event loops turn
 */

export class Accepting {
  /** By address, as admission.js names it. @type {Map<string, Place>} */
  places = new Map();
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
    return this.fairSharing ? stillNeeded(most, this.clock() - mostMs) : Infinity;
  }

  /** @param {Server} server */
  #loadOf({ worker, key }) {
    return this.fairSharing?.loadOf(worker, key) ?? 0;
  }

  /** @param {string} [address] default: all */
  #update(address) {
    const addresses = address === undefined ? [...this.places.keys()] : [address];
    for (const each of addresses) {
      const place = this.places.get(each);
      const servers = this.admission.serversAt(each);
      if (place) this.#updatePlace(place, servers);
      // Its socket may be closed now, and a program may listen on a new port each time.
      if (servers.length === 0 && !this.admission.isListenedOn(each)) this.places.delete(each);
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
    const chosen = acceptorsOf(candidates, this.#wanted(place), CORES);
    // A blocked one could not follow, so it keeps the socket until its event loop turns.
    const kept = candidates.filter(
      (each) => chosen.includes(each) || (each.isBlocked && each.accepts),
    );
    // Where all accept anyway, nobody is called in the place of a blocked one.
    const reports = this.fairSharing !== null && servers.length > ALL_OF;
    place.accepting = new Map(kept.map(({ worker, key }) => [worker, { key, reports }]));
    for (const { worker, key, accepts } of kept) {
      if (accepts && before.get(worker)?.reports === reports) continue;
      if (reports) this.turns.expect(worker);
      const order = { key, ...(reports && REPORTS) };
      channelTo(worker).send('accept', order, accepts ? {} : { socket: handle });
    }
    for (const [worker, { key }] of before) {
      if (!place.accepting.has(worker)) channelTo(worker).send('accept-no-more', { key });
    }
  }
}
