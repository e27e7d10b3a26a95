/** Requests that are lost with the process that has them, whoever supervises it. */

/** @import { Failure } from '../../../test/support/http-load.js' */

/**
 * @typedef {object} Loss
 * @property {'primary' | 'worker' | 'other'} kind of the killed process; a primary that accepts no
 *   connections is 'other'
 * @property {number} exitedAt epoch in ms
 */

/**
 * A worker takes every request with it that it was sent; a primary, a new connection that it had
 * accepted and not handed to a worker yet.
 * @param {Failure} failure
 * @param {Loss} loss
 * @returns {boolean}
 */
export function wasInFlight({ code, reused, askedAt }, { kind, exitedAt }) {
  if (kind === 'other' || code !== 'ECONNRESET' || askedAt > exitedAt) return false;
  return kind === 'worker' || !reused;
}
