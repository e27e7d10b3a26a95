/** Which version of the protocol two processes use with each other. */

/** @import { ProtocolRange } from './wire.js' */

/**
 * @param {ProtocolRange} one
 * @param {ProtocolRange} other
 * @returns {number | null} the newest version that both understand; null: none, so that they may use
 *   only the core methods
 */
export function agreedProtocol(one, other) {
  const newest = Math.min(one.protocol, other.protocol);
  return newest >= Math.max(one.oldest, other.oldest) ? newest : null;
}
