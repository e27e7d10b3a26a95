/**
 * How many workers a self-scaling app gets (docs/decisions/number-of-workers.md). Load is counted in workers: 4 event loops
 * that are busy half of the time are a load of 2.
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
 * @typedef {{count: number, loads: number[], peaks: {atMs: number, count: number}[]}} ScalingState count: of workers at the
 *   last check; loads: of the last checks; peaks: workers that were needed since, each later one smaller
 */

/** Of an app of which nothing is known yet: its cooldown begins when it is first measured. @type {ScalingState} */
export const UNKNOWN = { count: 0, loads: [], peaks: [] };

/**
 * @param {ScalingState} before
 * @param {{nowMs: number, count: number, utilisations: number[]}} look count: of workers, within the range; utilisations: of
 *   those that were measured, 0 to 1: not of one that is blocked
 * @param {InstanceRange} range
 * @returns count: of workers that it should have from now on; utilisation: their mean
 */
export function decideScaling(
  before,
  { nowMs, count, utilisations },
  { min, max, elu, cooldownMs },
) {
  const known = before.count === count ? before : UNKNOWN;
  if (utilisations.length === 0)
    return { state: { ...known, loads: [] }, count, utilisation: null };
  const utilisation = utilisations.reduce((sum, each) => sum + each, 0) / utilisations.length;
  const loads = [...known.loads, utilisation * count].slice(-CHECKS);
  const load = Math.min(...loads);
  const isKnown = loads.length === CHECKS;
  const needed = workersFor(load, elu * SPARE);
  // A worker that does not answer may come back with all its work.
  const isEnough = isKnown && utilisations.length >= count;
  const peak = { atMs: nowMs, count: isEnough ? needed : Math.max(needed, count) };
  const peaks = known.peaks.filter(
    (each) => nowMs - each.atMs < cooldownMs && each.count > peak.count,
  );
  peaks.push(peak);
  const grown = load / count >= SATURATED ? Math.ceil(count * SATURATED_GROWTH) : 0;
  const more = Math.min(max, Math.max(grown, workersFor(load, elu)));
  const fewer = Math.max(min, Math.min(count, peaks[0].count));
  const next = load / count > elu ? more : fewer;
  return { state: { count, loads, peaks }, count: isKnown ? next : count, utilisation };
}

/** @param {number} load @param {number} utilisation that each worker may have */
function workersFor(load, utilisation) {
  return Math.ceil(load / utilisation - EPSILON);
}
