/**
 * Whether a listening socket without workers stays open. It does while a worker is about to serve
 * it; otherwise its clients would wait for nothing.
 *
 * @param {object} view
 * @param {boolean} view.isComing a slot will have a worker again
 * @param {number | null} view.servingMs how long the longest serving worker has been online; null:
 *   none serves yet, though one that takes long to listen may be online
 * @param {number} view.settleMs after this time online, a worker has opened all its sockets
 * @returns {boolean}
 */
export function keepsSocket({ isComing, servingMs, settleMs }) {
  return servingMs === null ? isComing : servingMs < settleMs;
}
