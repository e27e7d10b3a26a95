/** Connections on their way between this primary and one worker, in both directions: src/lifecycle/lease.cjs. */
import { setImmediate } from 'node:timers';
import { Leases, mustAsk, outcomeOf } from '../../lifecycle/lease.cjs';
import { clockMs } from '../../shared/monotonic.js';
import { channelTo } from '../worker/channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Leased } from '../../lifecycle/lease.cjs'
 * @import { FairSharing } from './fair-sharing.js'
 * @import { TcpHandle } from './listening-sockets.js'
 */

/** Short for a client, and long enough that a loaded worker, or one that collects garbage, is rarely meant. */
const LEASE_MS = 50;
const CHANNEL_END_TIMEOUT_MS = 200;
/** @type {WeakMap<ChildProcess, HandedOver>} */
const byWorker = new WeakMap();

/** Always the same one of a worker. @param {ChildProcess} worker */
export function handedTo(worker) {
  const known = byWorker.get(worker);
  if (known) return known;
  const handed = new HandedOver(worker);
  byWorker.set(worker, handed);
  return handed;
}

/**
 * @typedef {object} HandOver
 * @property {(outcome: 'accepted' | 'refused') => void} onEnd called once unless it is taken back.
 *   `accepted`: the primary's copy has been closed; `refused`: by the worker, or it has died
 * @property {(() => void) | null} onOverdue called when it may be taken back; null: never
 *
 * @typedef {Leased & {handOver: HandOver, client: TcpHandle}} Entry whoever takes it back sets its state
 */

/** To all workers. */
let sends = 0;

/** What the primary hands over to a worker. */
class HandedOver {
  /** Numbers count down, because those of node:cluster count up. */
  #seq = 0;
  /** When the latest was sent: of two workers, the one with the lower number was sent one earlier. */
  latestSend = 0;
  /** What the worker acknowledged last, as long as it may ask about it. */
  #latest = { seq: 0, isTakenBack: false };
  #isGone = false;
  /** Called when it has acknowledged everything. @type {Set<() => void>} */
  onFree = new Set();
  #channel;
  /** @type {Leases<Entry>} */
  #leases;

  /** @param {ChildProcess} worker */
  constructor(worker) {
    this.worker = worker;
    this.#channel = channelTo(worker);
    const bytesRead = () => this.#channel.handle?.bytesRead;
    const world = { bytesRead, clockMs, after: setTimeout, afterReads: setImmediate };
    this.#leases = new Leases(world, 1, (overdue) => {
      for (const { handOver } of overdue) handOver.onOverdue?.();
    });
    this.#channel.onAcknowledged = (seq, isAccepted) => this.#onAcknowledged(seq, isAccepted);
    // It asks right after it has acknowledged, and only once.
    this.#channel.on('late', ({ asked }) => {
      const { seq, isTakenBack } = this.#latest;
      if (!Array.isArray(asked) || asked[0] !== seq || seq === 0) return;
      this.#latest = { seq: 0, isTakenBack: false };
      this.#channel.send('decided', { asked: [seq], kept: isTakenBack ? [seq] : [] });
    });
    watchEnd(worker, () => this.#onGone());
  }

  /** Whether it has acknowledged everything, also what was taken back. */
  get isFree() {
    return this.#leases.entries.size === 0 && !this.#isGone;
  }

  /** Whether it has not acknowledged something in time. */
  get isLate() {
    for (const { state } of this.#leases.entries.values()) if (state !== 'sent') return true;
    return false;
  }

  /**
   * @param {string} key of the address
   * @param {TcpHandle} client which nobody reads from
   * @param {HandOver} handOver
   */
  send(key, client, handOver) {
    const seq = --this.#seq;
    this.latestSend = ++sends;
    const leaseMs = handOver.onOverdue ? clockMs() + LEASE_MS : null;
    /** @type {Entry} */
    const entry = { handOver, client, leaseMs, state: 'sent' };
    this.#leases.entries.set(seq, entry);
    if (this.#isGone) setImmediate(() => this.#onGone());
    // Its end is reported if its channel is closed.
    else if (this.worker.connected) {
      const message = { cmd: 'NODE_CLUSTER', act: 'newconn', key, seq, leaseMs };
      // Node sends one only when the one before has been read. If it was taken back until then, its new worker may have
      // accepted it, and so it is closed here.
      const noteFailure = (/** @type {Error | null} */ error) => {
        if (error && this.#leases.entries.delete(seq)) this.#settle(entry, false);
      };
      this.worker.send(message, /** @type {any} */ (client), noteFailure);
    }
    if (leaseMs !== null) this.#leases.watch();
    return entry;
  }

  /** @param {number | null} acknowledged null: the oldest, since Node sends one at a time @param {boolean} isAccepted */
  #onAcknowledged(acknowledged, isAccepted) {
    const seq = acknowledged ?? this.#leases.entries.keys().next().value;
    const entry = seq === undefined ? undefined : this.#leases.entries.get(seq);
    if (seq === undefined || !entry) return;
    this.#leases.entries.delete(seq);
    this.#latest = { seq, isTakenBack: entry.state === 'taken back' };
    this.#settle(entry, isAccepted);
  }

  /** @param {Entry} entry that is not among the others any more @param {boolean} isAccepted */
  #settle({ state, client, handOver }, isAccepted) {
    const outcome = outcomeOf(state, isAccepted);
    if (outcome === 'accepted') client.close();
    if (outcome !== 'elsewhere') handOver.onEnd(outcome);
    if (this.isFree) for (const callback of this.onFree) callback();
  }

  /** It will acknowledge nothing more. */
  #onGone() {
    this.#isGone = true;
    const entries = [...this.#leases.entries.values()];
    this.#leases.entries.clear();
    // It may have acknowledged and read what it was sent, if its channel broke: then another worker
    // would wait forever for the rest of a request. As if accepted, it is closed instead.
    for (const entry of entries) this.#settle(entry, this.#channel.isBroken);
  }
}

/**
 * @typedef {object} Surplus a connection that a worker hands over
 * @property {string} key of its address
 * @property {number} seq
 * @property {number} leaseMs afterwards the worker may have taken it back, until it denies that
 * @property {TcpHandle} client
 */

/** What a worker hands over to the primary, which hands it over to another worker. */
export class SurplusFrom {
  /** What was read and is not confirmed yet. @type {Surplus[]} */
  #unconfirmed = [];
  /** Takes what was confirmed, once that is written. @type {Set<() => void>} */
  #confirming = new Set();
  /** Confirmed too late: by number, until the worker says whose it is. @type {Map<number, Surplus>} */
  #asked = new Map();
  #channel;

  /** @param {ChildProcess} worker @param {FairSharing} sharing */
  constructor(worker, sharing) {
    this.worker = worker;
    this.sharing = sharing;
    this.#channel = channelTo(worker);
    this.#channel.onConnection = (message, client) => this.#onSurplus(message, client);
    this.#channel.on('decided', ({ asked, kept }) => this.#onDecided(asked, kept));
    watchEnd(worker, () => {
      // Whether the confirmation was written is not known.
      for (const take of this.#confirming) take();
      // They end with the worker, which may have read from them.
      for (const { client } of this.#asked.values()) client.close();
      this.#asked.clear();
      sharing.ended(this);
    });
  }

  get isIdle() {
    return this.#unconfirmed.length + this.#confirming.size + this.#asked.size === 0;
  }

  /** @param {any} message @param {TcpHandle | null} client null: there was no descriptor left for it */
  #onSurplus({ key, seq, leaseMs, open, waiting }, client) {
    if (!client || !this.sharing.mayTake(this.worker, { key, open, waiting })) {
      client?.close();
      return this.#channel.sendAtOnce('confirmed', { returned: seq });
    }
    this.#unconfirmed.push({ key, seq, leaseMs, client });
    // All that can be read now is confirmed at once.
    if (this.#unconfirmed.length === 1) setImmediate(() => this.#confirm());
  }

  /** A worker serves what was not confirmed before this primary died, so nobody gets it before that has been written. */
  #confirm() {
    const confirmed = this.#unconfirmed;
    this.#unconfirmed = [];
    const take = () => {
      if (!this.#confirming.delete(take)) return;
      const nowMs = clockMs();
      const late = confirmed.filter(({ leaseMs }) => mustAsk({ leaseMs, nowMs }));
      for (const surplus of confirmed) {
        if (!late.includes(surplus)) this.sharing.take(this.worker, surplus);
      }
      if (late.length === 0) return;
      // It may have taken them back.
      if (!this.worker.connected) return late.forEach(({ client }) => client.close());
      for (const surplus of late) this.#asked.set(surplus.seq, surplus);
      this.#channel.sendAtOnce('late', { asked: late.map(({ seq }) => seq) });
    };
    this.#confirming.add(take);
    this.sharing.sendLimits(this.worker, new Set(confirmed.map(({ key }) => key)));
    this.#channel.sendAtOnce('confirmed', { latest: confirmed.at(-1)?.seq }, take);
  }

  /** Programs can forge the message. @param {unknown} decided @param {unknown} kept */
  #onDecided(decided, kept) {
    if (!Array.isArray(decided) || !Array.isArray(kept)) return;
    for (const seq of decided) {
      const surplus = this.#asked.get(seq);
      if (!surplus) continue;
      this.#asked.delete(seq);
      if (kept.includes(seq)) surplus.client.close();
      else this.sharing.take(this.worker, surplus);
    }
  }
}

/**
 * Calls back when a worker has ended for node:cluster too. While a handle is on its way to a dead one, Node waits for its
 * acknowledgement and does not report the channel's end: node:cluster would keep the worker forever.
 * @param {ChildProcess} child
 * @param {() => void} callback
 */
function watchEnd(child, callback) {
  child.once('exit', () => {
    // node:cluster removes the worker after both its exit and the end of its channel.
    if (!child.connected) return setImmediate(callback);
    const timer = setTimeout(() => endChannel(child), CHANNEL_END_TIMEOUT_MS);
    child.once('disconnect', () => {
      clearTimeout(timer);
      setImmediate(callback);
    });
  });
}

/** @param {ChildProcess & {_handleQueue?: unknown}} child that has exited */
function endChannel(child) {
  // As long as it is set, Node closes no channel, and takes the end of this one for a mistake of ours.
  child._handleQueue = null;
  let isReported = false;
  child.once('disconnect', () => (isReported = true));
  if (child.connected) child.disconnect();
  setImmediate(() => !isReported && child.emit('disconnect'));
}
