'use strict';
/** Whose a connection is that was handed to this worker: the worker's side of `primary/sockets/handover/lease.js`. */

module.exports = { mustAsk };

/**
 * @param {{leaseMs: number, nowMs: number, isWritten: boolean}} facts `isWritten`: the acknowledgement
 *   has been written to the channel; `nowMs`: a time after that
 * @returns {boolean} whether only the primary knows whose the connection is
 */
function mustAsk({ leaseMs, nowMs, isWritten }) {
  return !isWritten || nowMs > leaseMs;
}
