/**
 * Whether a listening socket whose last worker has gone stays open. It does while somebody is
 * coming who will serve it; else its clients would wait for nobody.
 */

/**
 * @param {object} view
 * @param {boolean} view.isComing a slot is to have a worker again
 * @param {number | null} view.servingMs how long the worker that has served longest is online; null:
 *   nobody serves yet, though a program that needs long to listen may be online
 * @param {number} view.settleMs a worker that is online for so long has opened all its sockets
 * @returns {boolean}
 */
export function keepsSocket({ isComing, servingMs, settleMs }) {
  if (servingMs !== null) return servingMs < settleMs;
  return isComing;
}
