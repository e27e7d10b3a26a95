/** Requests that are lost with the process that has them, whoever supervises it. */

/**
 * @typedef {object} Loss
 * @property {'primary' | 'worker' | 'other'} kind of the killed process; a primary that accepts no
 *   connections is 'other'
 * @property {number} exitedAt epoch in ms
 *
 * @typedef {object} Failure
 * @property {string} code
 * @property {boolean} reused its connection had served another request before
 * @property {number} askedAt epoch, in milliseconds
 */

/** How a client sees that a process with its connection has exited; EPIPE: it was just sending. */
const CUT = ['ECONNRESET', 'EPIPE'];
/** For a client on a busy machine to see that a connection is closed, which it uses again until then. */
const UNSEEN_MS = 100;

/**
 * A worker takes every request with it that it was sent; a primary, a new connection that it had
 * accepted and not handed to a worker yet.
 * @param {Failure} failure
 * @param {Loss} loss
 * @returns {boolean}
 */
export function wasInFlight({ code, reused, askedAt }, { kind, exitedAt }) {
  if (kind === 'other' || !CUT.includes(code)) return false;
  if (kind === 'primary') return !reused && askedAt <= exitedAt;
  return askedAt <= exitedAt + (reused ? UNSEEN_MS : 0);
}
