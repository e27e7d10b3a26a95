/** Which version of the protocol two processes use with each other. */

/**
 * What a process understands, as its hello says it.
 * @typedef {object} ProtocolRange
 * @property {number} protocol the newest
 * @property {unknown} [oldest] missing: only the newest
 */

/**
 * @param {ProtocolRange} one
 * @param {ProtocolRange} other
 * @returns {number | null} the newest version that both understand; null: none, so that they may use
 *   only the core methods
 */
export function agreedProtocol(one, other) {
  const newest = Math.min(one.protocol, other.protocol);
  return newest >= Math.max(oldestOf(one), oldestOf(other)) ? newest : null;
}

/** @param {ProtocolRange} range */
function oldestOf({ protocol, oldest }) {
  return typeof oldest === 'number' ? Math.min(oldest, protocol) : protocol;
}
