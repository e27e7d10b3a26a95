'use strict';
/**
 * Who owns a connection that was handed over, by a primary to a worker or, as its surplus, by a worker to the primary. Both
 * read the machine's monotonic clock.
 *
 * The sender keeps its copy until the receiver has confirmed that it has its own. Each is sent with a lease, a time by which
 * it must be confirmed. The receiver confirms, and then looks at the clock: within the lease the connection is its own;
 * after it, it asks the sender, and nobody reads from the connection until the reply. The sender takes a connection back
 * only if it has found the channel empty at a time after the lease; then the receiver will ask.
 */

module.exports = { stateAt, mustAsk, outcomeOf, leaseTime, withAckTime };

/**
 * @typedef {'sent' | 'overdue' | 'taken back'} LeaseState `overdue`: it may be taken back
 *
 * @typedef {{leaseMs: number | null, state: LeaseState}} Leased a connection that was sent and that is not confirmed; leaseMs:
 *   when the lease ends; null: it is never taken back
 */

/**
 * For the sender.
 * @param {Leased} leased @param {number | null} emptyMs a time at which everything that the receiver had written until then
 *   has been read; null: not known
 */
function stateAt({ leaseMs, state }, emptyMs) {
  const isOver = leaseMs !== null && emptyMs !== null && emptyMs > leaseMs;
  return state === 'sent' && isOver ? 'overdue' : state;
}

/**
 * For the receiver: whether only the sender knows whose the connection is.
 * @param {object} facts
 * @param {number} facts.leaseMs programs can forge it
 * @param {number} facts.nowMs a time after it has confirmed the connection
 * @param {boolean} [facts.isWritten] whether the confirmation has been written to the channel; default: yes
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

/**
 * How long a worker has to acknowledge a connection: as TCP computes the time after which it sends
 * again (RFC 6298, section 2), from the times that the worker took before.
 */

/**
 * @typedef {object} AckTimes how long a worker took to acknowledge
 * @property {number} meanMs smoothed
 * @property {number} deviationMs from the mean, smoothed
 */

/** Less would take connections back during each collection of garbage. */
const MIN_MS = 3;
/** Short for a client, and long enough that a loaded worker is rarely meant. */
const MAX_MS = 50;

/** @param {AckTimes | null} times null: it has acknowledged nothing yet @returns {number} milliseconds */
function leaseTime(times) {
  if (times === null) return MAX_MS;
  return Math.min(MAX_MS, Math.max(MIN_MS, times.meanMs + 4 * times.deviationMs));
}

/**
 * @param {AckTimes | null} times
 * @param {number} tookMs counts as the longest lease if it was more, so that a worker which was blocked
 *   for a minute is soon trusted again
 */
function withAckTime(times, tookMs) {
  const ms = Math.min(tookMs, MAX_MS);
  if (times === null) return { meanMs: ms, deviationMs: ms / 2 };
  return {
    meanMs: times.meanMs + (ms - times.meanMs) / 8,
    deviationMs: times.deviationMs + (Math.abs(ms - times.meanMs) - times.deviationMs) / 4,
  };
}
