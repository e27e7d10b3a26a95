/** How busy the event loops of the workers have been, for apps that scale themselves. */
import { within } from '../../shared/deadline.js';

/**
 * @import { LoopTimes } from '../../protocol/shapes.js'
 * @import { WorkerPool } from '../pool/pool.js'
 */

/** A worker that has not replied by then is in the next reply. */
const REPLY_TIMEOUT_MS = 250;

/**
 * @param {WorkerPool} pool
 * @returns {Promise<{workers: LoopTimes[]}>} of the workers that are online; one whose event loop is
 *   blocked has the same times as before
 */
export async function requestLoopTimes(pool) {
  const online = [...pool.workers.values()].filter(({ status }) => status === 'online');
  const replies = online.map(({ agent }) => agent?.requestLoopTimes());
  await within(Promise.all(replies), REPLY_TIMEOUT_MS);
  return {
    workers: online.flatMap(({ pid, agent }) =>
      pid !== null && agent?.loopTimes ? [{ pid, ...agent.loopTimes }] : [],
    ),
  };
}
