'use strict';
/**
 * Who owns a connection that was handed over, by a primary to a worker or, as its surplus, by a worker to the primary. Both
 * read the machine's monotonic clock.
 *
 * The sender keeps its copy until the receiver confirms, by the end of a lease. The receiver confirms, and then looks at the
 * clock: after the lease it asks the sender, and nobody reads until the reply. The sender takes a connection back only if
 * it has found the channel empty after the lease; then the receiver will ask.
 */

/**
 * @typedef {'sent' | 'overdue' | 'taken back'} LeaseState `overdue`: it may be taken back
 *
 * @typedef {{leaseMs: number | null, state: LeaseState}} Leased leaseMs: when the lease ends; null: it is never taken back
 */

/**
 * What a sender has handed over to one process.
 * @template {Leased} Entry
 */
class Leases {
  /** What is not confirmed, by the number of its message, oldest first. @type {Map<number, Entry>} */
  entries = new Map();
  #isWatched = false;

  /**
   * @param {{bytesRead: () => number | undefined, clockMs: () => number, after: Function, afterReads: Function}} world
   *   bytesRead: from the channel; undefined: not known; afterReads: calls back when everything has been read that was there
   * @param {number} minMs between two looks
   * @param {(overdue: Entry[], isLate: boolean) => void} onOver isLate: something was not confirmed in time
   */
  constructor(world, minMs, onOver) {
    this.world = world;
    this.minMs = minMs;
    this.onOver = onOver;
  }

  /** Call it after each that may become overdue. */
  watch() {
    if (this.#isWatched || this.#earliestMs === Infinity) return;
    this.#isWatched = true;
    const { clockMs, bytesRead, after, afterReads } = this.world;
    const look = () => {
      const nowMs = clockMs();
      const before = bytesRead();
      afterReads(() => {
        this.#isWatched = false;
        // If nothing was there, the channel was empty.
        const isEmpty = before !== undefined && before === bytesRead();
        const isLate = this.#earliestMs < nowMs;
        const all = [...this.entries.values()];
        const overdue = all.filter((each) => stateAt(each, isEmpty ? nowMs : null) !== each.state);
        for (const each of overdue) each.state = 'overdue';
        this.onOver(overdue, isLate);
        this.watch();
      });
    };
    const restMs = Math.ceil(this.#earliestMs - clockMs());
    after(look, Math.max(this.minMs, restMs)).unref();
  }

  get #earliestMs() {
    const sent = [...this.entries.values()].filter(({ state }) => state === 'sent');
    return Math.min(...sent.map(({ leaseMs }) => leaseMs ?? Infinity));
  }
}

/**
 * For the sender.
 * @param {Leased} leased
 * @param {number | null} emptyMs when all that the receiver had written was read; null: not known
 */
function stateAt({ leaseMs, state }, emptyMs) {
  const isOver = leaseMs !== null && emptyMs !== null && emptyMs > leaseMs;
  return state === 'sent' && isOver ? 'overdue' : state;
}

/**
 * For the receiver: whether only the sender knows whose the connection is.
 * @param {{leaseMs: number, nowMs: number, isWritten?: boolean}} facts leaseMs: programs can forge it; nowMs: after it has
 *   confirmed the connection; isWritten: the confirmation, to the channel
 */
function mustAsk({ leaseMs, nowMs, isWritten = true }) {
  return !isWritten || !(nowMs <= leaseMs);
}

/**
 * For the sender.
 * @param {LeaseState} state when the receiver confirmed it @param {boolean} isAccepted by the receiver
 * @returns {'accepted' | 'refused' | 'elsewhere'} `elsewhere`: another process has it, or will
 */
function outcomeOf(state, isAccepted) {
  if (state === 'taken back') return 'elsewhere';
  return isAccepted ? 'accepted' : 'refused';
}

module.exports = { Leases, stateAt, mustAsk, outcomeOf };
