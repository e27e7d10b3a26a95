/** @import { ChildProcess } from 'node:child_process' */

/** @type {WeakMap<ChildProcess, Map<number, any>>} */
const byWorker = new WeakMap();

/**
 * @param {ChildProcess} child
 * @returns {Map<number, any>} the connections that were sent to this worker and that it has not
 *   acknowledged, by the numbers of the messages. It is the same map at each call
 */
export function unacknowledgedBy(child) {
  const known = byWorker.get(child);
  if (known) return known;
  const sent = new Map();
  byWorker.set(child, sent);
  return sent;
}
