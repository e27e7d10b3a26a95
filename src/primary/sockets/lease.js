/**
 * Whose a connection is that was handed to a worker: the primary's side. The worker's side is
 * `agent/leases.cjs`. Both read the machine's monotonic clock.
 *
 * A worker acknowledges, then looks at the clock: within the lease the connection is its own, and after
 * it the worker asks. The primary takes a connection back only if it has found the channel empty at a
 * time after the lease. So it has then not been acknowledged within the lease, and the worker will ask.
 */

/**
 * @typedef {'sent' | 'overdue' | 'taken back'} HandedState `overdue`: it may be taken back
 *
 * @typedef {object} Handed a connection that was sent to a worker and that it has not acknowledged
 * @property {number | null} leaseMs when the lease ends; null: it is never taken back
 * @property {HandedState} state
 */

/**
 * @param {Handed} handed
 * @param {number | null} emptyMs a time at which everything that the worker had written until then
 *   has been read; null: not known
 * @returns {HandedState}
 */
export function stateAt({ leaseMs, state }, emptyMs) {
  const isOver = leaseMs !== null && emptyMs !== null && emptyMs > leaseMs;
  return state === 'sent' && isOver ? 'overdue' : state;
}

/**
 * @param {HandedState} state when the worker acknowledged it
 * @param {boolean} isAccepted by the worker
 * @returns {'accepted' | 'refused' | 'elsewhere'} `elsewhere`: another worker has it, or will
 */
export function outcomeOf(state, isAccepted) {
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

/**
 * @param {AckTimes | null} times null: it has acknowledged nothing yet
 * @returns {number} milliseconds
 */
export function leaseTime(times) {
  if (times === null) return MAX_MS;
  return Math.min(MAX_MS, Math.max(MIN_MS, times.meanMs + 4 * times.deviationMs));
}

/**
 * @param {AckTimes | null} times
 * @param {number} tookMs counts as the longest lease if it was more, so that a worker which was blocked
 *   for a minute is soon trusted again
 * @returns {AckTimes}
 */
export function withAckTime(times, tookMs) {
  const ms = Math.min(tookMs, MAX_MS);
  if (times === null) return { meanMs: ms, deviationMs: ms / 2 };
  return {
    meanMs: times.meanMs + (ms - times.meanMs) / 8,
    deviationMs: times.deviationMs + (Math.abs(ms - times.meanMs) - times.deviationMs) / 4,
  };
}
