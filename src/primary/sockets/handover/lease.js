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
