/**
 * Connections that were sent to one worker: until it acknowledges them, refuses them or dies, or until they
 * are taken back (docs/decisions/connections.md).
 */
import { setImmediate } from 'node:timers';
import { clockMs } from '../../shared/monotonic.js';
import { AGENT_CMD } from '../worker/agent-reports.js';
import { channelOf, isChannelBroken, unacknowledgedBy } from '../worker/guarded-channel.js';
import { leaseTime, withAckTime, outcomeOf, stateAt } from './lease.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { AckTimes, Handed } from './lease.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

/**
 * @typedef {object} HandOver
 * @property {(outcome: 'accepted' | 'refused') => void} onEnd called once unless it is taken back.
 *   `accepted`: the primary's copy has been closed; `refused`: by the worker, or it has died
 * @property {(() => void) | null} onOverdue called once when it may be taken back; null: never
 *
 * @typedef {Handed & {handOver: HandOver, client: TcpHandle, sentMs: number}} Entry
 */

const CHANNEL_END_TIMEOUT_MS = 200;
/** To all workers. */
let sends = 0;
/** @type {WeakMap<ChildProcess, HandedConnections>} */
const byWorker = new WeakMap();

/**
 * @param {ChildProcess} worker
 * @returns {HandedConnections} always the same one of a worker
 */
export function handedTo(worker) {
  const known = byWorker.get(worker);
  if (known) return known;
  const handed = new HandedConnections(worker);
  byWorker.set(worker, handed);
  return handed;
}

class HandedConnections {
  /** By the number of the message, oldest first. @type {Map<number, Entry>} */
  #entries;
  /** Numbers count down, because those of node:cluster count up. */
  #seq = 0;
  /** When the latest was sent: of two workers, the one with the lower number was sent one earlier. */
  latestSend = 0;
  /** What the worker acknowledged last, as long as it may ask about it. */
  #latest = { seq: 0, isTakenBack: false };
  /** @type {AckTimes | null} */
  #ackTimes = null;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  #isGone = false;
  /** Called when it has acknowledged everything. @type {Set<() => void>} */
  onFree = new Set();

  /** @param {ChildProcess} worker */
  constructor(worker) {
    this.worker = worker;
    this.#entries = /** @type {Map<number, Entry>} */ (unacknowledgedBy(worker));
    worker.prependListener('internalMessage', (message) => this.#onMessage(message));
    watchEnd(worker, () => this.#onGone());
  }

  /** Whether it has acknowledged everything, also what was taken back. */
  get isFree() {
    return this.#entries.size === 0 && !this.#isGone;
  }

  /** Whether it has not acknowledged something in time. */
  get isLate() {
    return [...this.#entries.values()].some(({ state }) => state !== 'sent');
  }

  /**
   * @param {string} key of the address that it listens on, as node:cluster names it
   * @param {TcpHandle} client which nobody reads from
   * @param {HandOver} handOver
   * @returns {() => boolean} takes it back; false: it is too late, or too early
   */
  send(key, client, handOver) {
    const seq = --this.#seq;
    this.latestSend = ++sends;
    const sentMs = clockMs();
    const forMs = leaseTime(this.#ackTimes);
    const leaseMs = handOver.onOverdue ? sentMs + forMs : null;
    /** @type {Entry} */
    const entry = { handOver, client, sentMs, leaseMs, state: 'sent' };
    this.#entries.set(seq, entry);
    if (this.#isGone) setImmediate(() => this.#onGone());
    // Without a callback, which would cost a tick. Its end is reported if its channel is closed.
    else if (this.worker.connected) {
      const message = { cmd: 'NODE_CLUSTER', act: 'newconn', key, seq, leaseMs };
      this.worker.send(message, /** @type {any} */ (client));
    }
    if (leaseMs !== null) this.#checkIn(Math.ceil(forMs));
    return () => this.#takeBack(seq, entry);
  }

  /** @param {number} seq @param {Entry} entry */
  #takeBack(seq, entry) {
    if (entry.state !== 'overdue' || this.#entries.get(seq) !== entry) return false;
    entry.state = 'taken back';
    return true;
  }

  /** @param {any} message */
  #onMessage(message) {
    if (message?.cmd === 'NODE_CLUSTER') this.#onAcknowledged(message.ack, message.accepted);
    else if (message?.cmd === AGENT_CMD && message.type === 'late') this.#onLate(message.seq);
    // The worker has no descriptor left for it. Node sends one at a time: the oldest.
    else if (message?.cmd === 'NODE_HANDLE_NACK') {
      this.#onAcknowledged([...this.#entries.keys()][0], false);
    }
  }

  /** @param {number | undefined} seq @param {unknown} isAccepted */
  #onAcknowledged(seq, isAccepted) {
    const entry = seq === undefined ? undefined : this.#entries.get(seq);
    if (seq === undefined || !entry) return;
    this.#entries.delete(seq);
    this.#ackTimes = withAckTime(this.#ackTimes, clockMs() - entry.sentMs);
    this.#latest = { seq, isTakenBack: entry.state === 'taken back' };
    this.#end(entry, Boolean(isAccepted));
    if (this.isFree) for (const callback of this.onFree) callback();
  }

  /** @param {Entry} entry @param {boolean} isAccepted */
  #end({ state, client, handOver }, isAccepted) {
    const outcome = outcomeOf(state, isAccepted);
    if (outcome === 'elsewhere') return;
    if (outcome === 'accepted') client.close();
    handOver.onEnd(outcome);
  }

  /**
   * It asks right after it has acknowledged, and only once.
   * @param {unknown} seq
   */
  #onLate(seq) {
    const { isTakenBack, ...latest } = this.#latest;
    if (seq !== latest.seq || seq === 0) return;
    this.#latest = { seq: 0, isTakenBack: false };
    const reply = { cmd: AGENT_CMD, type: 'decided', seq, isYours: !isTakenBack };
    if (this.worker.connected) this.worker.send(reply, ignore);
  }

  /** @param {number} delayMs until a lease may be over */
  #checkIn(delayMs) {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#onLease(), delayMs);
  }

  /**
   * Immediates run after everything has been read that was there when they were set. If nothing was,
   * the channel was empty.
   */
  #onLease() {
    this.#timer = null;
    const beganMs = clockMs();
    // In steady traffic, what was there when the timer was set has been acknowledged long ago.
    if (this.#earliestLeaseMs() >= beganMs) return this.#checkAgain();
    const bytesRead = channelOf(this.worker)?.bytesRead;
    setImmediate(() => {
      const isEmpty = bytesRead !== undefined && bytesRead === channelOf(this.worker)?.bytesRead;
      this.#noteOverdue(isEmpty ? beganMs : null);
    });
  }

  /** @param {number | null} emptyMs when the channel was empty */
  #noteOverdue(emptyMs) {
    /** @type {Entry[]} */
    const overdue = [];
    for (const entry of this.#entries.values()) {
      const state = stateAt(entry, emptyMs);
      if (state !== entry.state) overdue.push(entry);
      entry.state = state;
    }
    this.#checkAgain();
    for (const { handOver } of overdue) handOver.onOverdue?.();
  }

  #checkAgain() {
    const leaseMs = this.#earliestLeaseMs();
    if (leaseMs < Infinity) this.#checkIn(Math.max(1, Math.ceil(leaseMs - clockMs())));
  }

  /** Of those that are not overdue yet. */
  #earliestLeaseMs() {
    let earliest = Infinity;
    for (const { state, leaseMs } of this.#entries.values()) {
      if (state === 'sent' && leaseMs !== null && leaseMs < earliest) earliest = leaseMs;
    }
    return earliest;
  }

  /** It will acknowledge nothing more. */
  #onGone() {
    this.#isGone = true;
    // It may have acknowledged and read what it was sent, if its channel broke: then another worker
    // would wait forever for the rest of a request. As if accepted, it is closed instead.
    const isAccepted = isChannelBroken(this.worker);
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) this.#end(entry, isAccepted);
  }
}

/** If the channel breaks meanwhile, the worker's end is reported. */
function ignore() {}

/**
 * When a worker has ended for node:cluster too. While a handle is on its way to a dead worker, Node waits for
 * its acknowledgement and does not report the channel's end. So node:cluster would keep the worker, and its
 * connection, forever.
 * @param {ChildProcess} child
 * @param {() => void} callback once it has exited and its channel has ended
 */
export function watchEnd(child, callback) {
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

/** @param {ChildProcess} child that has exited */
function endChannel(child) {
  let isReported = false;
  child.once('disconnect', () => (isReported = true));
  if (child.connected) child.disconnect();
  setImmediate(() => !isReported && child.emit('disconnect'));
}
