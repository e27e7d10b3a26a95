/** @import { Address } from '../policies/listening-socket.js' */

/**
 * @param {Address | null} [local] as Node names it; null: a unix socket
 * @returns {string} what tells it from other addresses; empty for a unix socket
 */
export function nameAddress(local) {
  return local?.address === undefined ? '' : `${local.address}:${local.port}`;
}
