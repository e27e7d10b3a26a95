/** Which workers are due because they are worn: too old, too many requests, too much memory. */
import { mayReplace, recentReplacements } from '../../lifecycle/replacement-policy.js';

/**
 * Limits differ from worker to worker by up to this share, so that workers that started together
 * are not replaced together: `max_requests_jitter` of gunicorn, `max-requests-delta` of uWSGI.
 */
const JITTER = 0.1;

/**
 * @param {number} limit
 * @param {number} random in [0, 1)
 * @returns {number} the limit of one worker, at least 1
 */
export function withJitter(limit, random) {
  return Math.max(1, Math.round(limit * (1 + JITTER * (2 * random - 1))));
}

/**
 * @typedef {object} MemoryView
 * @property {number} slot
 * @property {number | null} memory bytes of RSS; null: not known
 * @property {readonly number[]} replacedMs monotonic times of replacements for memory, ascending
 */

/**
 * @param {object} state
 * @param {number} state.limit bytes
 * @param {readonly MemoryView[]} state.workers
 * @param {number} state.nowMs monotonic
 * @returns {number[]} slots to be replaced now. A slow leak never waits
 */
export function slotsOverMemory({ limit, workers, nowMs }) {
  return workers
    .filter(({ memory }) => memory !== null && memory > limit)
    .filter(({ replacedMs }) => mayReplace(recentReplacements(replacedMs, nowMs), nowMs))
    .map(({ slot }) => slot);
}
