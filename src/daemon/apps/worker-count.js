import { availableCores } from '../cgroup-limits.js';

/** @import { Spec } from '../../config/spec.js' */

/**
 * @param {Spec['instances']} instances
 * @param {number} [current] how many there are; 0: the app is new
 * @param {number} [cores]
 * @returns {number} of workers that are allowed, as close to the current number as possible
 */
export function workerCount(instances, current = 0, cores = availableCores()) {
  const { min, max } = workerBounds(instances, cores);
  return Math.min(Math.max(current, min), max);
}

/**
 * @param {Spec['instances']} instances
 * @param {number} [cores]
 * @returns {{min: number, max: number}} equal unless it scales itself; at least 1. On a machine with too
 *   few cores for both, `min` counts
 */
export function workerBounds(instances, cores = availableCores()) {
  const count = (/** @type {number} */ number) =>
    number > 0 ? number : Math.max(1, cores + number);
  if (typeof instances === 'number') return { min: count(instances), max: count(instances) };
  const min = count(instances.min);
  return { min, max: Math.max(min, count(instances.max)) };
}

/** @param {Spec['instances']} instances @returns {boolean} whether it depends on the cores */
export function followsCores(instances) {
  if (typeof instances === 'number') return instances <= 0;
  return instances.min <= 0 || instances.max <= 0;
}
