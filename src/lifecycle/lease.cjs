'use strict';
/**
 * Who owns a connection that was handed over: the primary hands connections to a worker, and a worker its
 * surplus to the primary. Both directions have the same rules, and both sides read the machine's monotonic
 * clock.
 *
 * Who holds it: the sender keeps its copy until the receiver has confirmed that it has its own.
 * Until when: each is sent with a lease, a time by which it must be confirmed.
 * Who says so: the receiver confirms, and then looks at the clock. Within the lease the connection is its
 * own; after it, it asks the sender, and nobody reads from the connection until the reply. The sender takes
 * a connection back only if it has found the channel empty at a time after the lease. So it has then not
 * been confirmed within the lease, and the receiver will ask.
 */

module.exports = { stateAt, mustAsk, outcomeOf, leaseTime, withAckTime };

/**
 * @typedef {'sent' | 'overdue' | 'taken back'} LeaseState `overdue`: it may be taken back
 *
 * @typedef {object} Leased a connection that was sent and that is not confirmed
 * @property {number | null} leaseMs when the lease ends; null: it is never taken back
 * @property {LeaseState} state
 */

/**
 * For the sender.
 * @param {Leased} leased
 * @param {number | null} emptyMs a time at which everything that the receiver had written until then
 *   has been read; null: not known
 */
function stateAt({ leaseMs, state }, emptyMs) {
  const isOver = leaseMs !== null && emptyMs !== null && emptyMs > leaseMs;
  return state === 'sent' && isOver ? 'overdue' : state;
}

/**
 * For the receiver.
 * @param {object} facts
 * @param {number} facts.leaseMs programs can forge it
 * @param {number} facts.nowMs a time after it has confirmed the connection
 * @param {boolean} [facts.isWritten] whether the confirmation has been written to the channel; default: yes
 * @returns {boolean} whether only the sender knows whose the connection is
 */
function mustAsk({ leaseMs, nowMs, isWritten = true }) {
  return !isWritten || !(nowMs <= leaseMs);
}

/**
 * For the sender.
 * @param {LeaseState} state when the receiver confirmed it
 * @param {boolean} isAccepted by the receiver
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
