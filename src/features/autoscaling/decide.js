/**
 * How many workers a self-scaling app gets: `instances: {min, max, elu, cooldown}`.
 *
 * The rule is that of Kubernetes' HorizontalPodAutoscaler: as many workers as bring the mean
 * utilisation back to its target, more at once, fewer only when the highest number of the last
 * `cooldown` was lower (docs/decisions/number-of-workers.md). Load is counted in workers: 4 event loops that are busy half of
 * the time are a load of 2.
 */

/** @import { InstanceRange } from '../../config/spec.js' */

/** Above this share of the target, so many workers are still needed: otherwise noise around a limit would flap. */
const SPARE = 0.9;
/** Where utilisation no longer shows how much more load there is. */
const SATURATED = 0.95;
/** How many times as many workers a saturated app gets. */
const SATURATED_GROWTH = 1.5;
/** Checks in a row that must show more load before workers are added; one may be a single long request. */
const CHECKS = 2;
/** Of floating-point division: 3 × 0.8 / 0.8 must need 3 workers. */
const EPSILON = 1e-9;

/**
 * @typedef {object} ScalingState what is kept from check to check
 * @property {number} count of workers at the last check
 * @property {number[]} loads of the last checks
 * @property {{atMs: number, count: number}[]} peaks the numbers of workers that were needed since, each
 *   later one smaller: the first is the highest
 *
 * @typedef {object} Look at an app
 * @property {number} nowMs monotonic
 * @property {number} count of workers that it should have
 * @property {number[]} utilisations of the workers that were measured, each 0 to 1; a worker that is
 *   blocked, is starting or has crashed has none
 */

/**
 * @param {number} count of workers
 * @param {number} nowMs monotonic
 * @returns {ScalingState} of an app of which nothing else is known: a cooldown begins
 */
export function beginScaling(count, nowMs) {
  return { count, loads: [], peaks: [{ atMs: nowMs, count }] };
}

/**
 * @param {ScalingState} before
 * @param {Look} look
 * @param {InstanceRange} range
 * @returns state: for the next check; count: of workers that it should have from now on; utilisation: mean of the workers
 *   that were measured, null: none was
 */
export function decideScaling(before, { nowMs, count, utilisations }, range) {
  const known = before.count === count ? before : beginScaling(count, nowMs);
  if (utilisations.length === 0)
    return { state: { ...known, loads: [] }, count, utilisation: null };
  const utilisation = utilisations.reduce((sum, each) => sum + each, 0) / utilisations.length;
  const loads = [...known.loads, utilisation * count].slice(-CHECKS);
  const load = loads.length < CHECKS ? null : Math.min(...loads);
  // A worker that does not answer may come back with all its work.
  const isComplete = utilisations.length >= count;
  const needed = workersFor(load ?? 0, range.elu * SPARE);
  const peak = load === null || !isComplete ? Math.max(needed, count) : needed;
  const higher = known.peaks.filter(
    ({ atMs, count }) => nowMs - atMs < range.cooldownMs && count > peak,
  );
  const peaks = [...higher, { atMs: nowMs, count: peak }];
  const state = { count, loads, peaks };
  return { state, count: nextCount(count, load, peaks[0].count, range), utilisation };
}

/**
 * @param {number} count
 * @param {number | null} load null: not measured for long enough
 * @param {number} enough the highest number that was needed within the cooldown
 * @param {InstanceRange} range
 */
function nextCount(count, load, enough, { min, max, elu }) {
  if (load === null) return count;
  const utilisation = load / count;
  if (utilisation <= elu) return Math.max(min, Math.min(count, enough));
  const growth = utilisation >= SATURATED ? Math.ceil(count * SATURATED_GROWTH) : 0;
  return Math.max(min, count, Math.min(max, Math.max(growth, workersFor(load, elu))));
}

/** @param {number} load @param {number} utilisation that each worker may have */
function workersFor(load, utilisation) {
  return Math.ceil(load / utilisation - EPSILON);
}
