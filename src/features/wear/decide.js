/** When a worker is worn: too old, too many requests answered, too much memory used. */
import { formatDuration, formatSize } from '../../shared/units.js';

/** @import { WearSpec } from '../record.js' */

/** Share by which limits differ, so that workers that started together are not replaced together. */
const JITTER = 0.1;

/** @param {WearSpec} limits of the app @param {number} random of the worker, in [0, 1) @returns {WearSpec} */
export function withJitter({ maxRequests, maxAgeMs, maxMemoryRestartBytes }, random) {
  const vary = (/** @type {number | null} */ limit) =>
    limit && Math.max(1, Math.round(limit * (1 + JITTER * (2 * random - 1))));
  // Memory does not rise in all workers at once.
  return { maxRequests: vary(maxRequests), maxAgeMs: vary(maxAgeMs), maxMemoryRestartBytes };
}

/**
 * In words that follow 'it'.
 * @param {{requests: number, ageMs: number, memory: number | null}} wear memory: RSS
 * @param {WearSpec} limits
 */
export function judgeWear({ requests, ageMs, memory }, limits) {
  const { maxRequests, maxAgeMs, maxMemoryRestartBytes } = limits;
  if (maxRequests && requests >= maxRequests) {
    return `answered ${requests.toLocaleString('en')} requests`;
  }
  if (maxAgeMs && ageMs >= maxAgeMs) return `reached the age of ${formatDuration(maxAgeMs)}`;
  if (maxMemoryRestartBytes && memory !== null && memory > maxMemoryRestartBytes) {
    return `used more memory than its max_memory_restart of ${formatSize(maxMemoryRestartBytes)}`;
  }
  return null;
}
