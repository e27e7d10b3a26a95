/**
 * Judges the health checks of workers. An unhealthy one is replaced only if another one shows that the cause is the worker
 * itself, not what they share. The only worker of an app has no such witness: its replacement must pass a check first.
 */

/** @import { CheckRule } from './record.js' */

/** Until its first success, a worker is checked this often: Docker's `start-interval` is 5 s. */
const START_INTERVAL_MS = 1000;

/**
 * @typedef {object} Health
 * @property {'starting' | 'healthy' | 'unhealthy'} status
 * @property {number} failures counted, in a row
 * @property {string | null} reason of the last failure; null: the last check succeeded, or there was none
 * @property {number | null} failingSinceMs monotonic, of the first failure in a row
 * @property {number | null} failedMs monotonic, of the last failure in a row
 * @property {number | null} succeededMs monotonic, of the last success
 */

/** @type {Health} */
export const NEW_HEALTH = Object.freeze({
  status: 'starting',
  failures: 0,
  reason: null,
  failingSinceMs: null,
  failedMs: null,
  succeededMs: null,
});

/**
 * @param {Health} health
 * @param {{failure: string | null, nowMs: number, uptimeMs: number}} check
 * @param {CheckRule} rule
 * @returns {Health}
 */
export function afterCheck(health, { failure, nowMs, uptimeMs }, rule) {
  if (failure === null) {
    return { ...NEW_HEALTH, status: 'healthy', succeededMs: nowMs };
  }
  const counts = health.status !== 'starting' || uptimeMs >= rule.startPeriodMs;
  const failures = health.failures + Number(counts);
  return {
    ...health,
    status: failures >= rule.failures ? 'unhealthy' : health.status,
    failures,
    reason: failure,
    failingSinceMs: health.failingSinceMs ?? nowMs,
    failedMs: nowMs,
  };
}

/** @param {Health} health @param {CheckRule} rule @returns {number} ms until the next check begins */
export function nextCheckMs({ succeededMs }, { intervalMs }) {
  return succeededMs === null ? Math.min(START_INTERVAL_MS, intervalMs) : intervalMs;
}

/** @typedef {{health: Health, isDue: boolean}} CheckedWorker that starts or is online; isDue: it was to be replaced when it was last judged */

/** Those that must be replaced. @template {CheckedWorker} T @param {readonly T[]} workers @param {number} slotCount */
export function judgeHealth(workers, slotCount) {
  return workers.filter(
    (worker) =>
      worker.health.status === 'unhealthy' &&
      ((slotCount === 1 && worker.health.succeededMs !== null) ||
        workers.some((other) => isAtFault(worker, other))),
  );
}

/** @param {Health[]} workers @param {number} slotCount workers that should run @returns whether none of several is healthy */
export function failsEverywhere(workers, slotCount) {
  const statuses = workers.map(({ status }) => status);
  return slotCount > 1 && statuses.includes('unhealthy') && !statuses.includes('healthy');
}

/**
 * When what all of them need fails, some notice it first: a success shows something only between two failures of the worker.
 * @param {CheckedWorker} worker that is unhealthy @param {CheckedWorker} other
 */
function isAtFault({ health, isDue }, { health: other }) {
  if (other.status !== 'healthy' || other.failures > 0 || other.succeededMs === null) return false;
  if (isDue) return true;
  const { failingSinceMs, failedMs } = health;
  return Number(failingSinceMs) < other.succeededMs && other.succeededMs <= Number(failedMs);
}
