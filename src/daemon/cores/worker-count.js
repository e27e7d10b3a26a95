import { availableCores } from './available-cores.js';

/**
 * @param {number} instances of a spec: 0 or less is relative to the cores
 * @param {number} [cores]
 * @returns {number} of workers, at least 1
 */
export function workerCount(instances, cores = availableCores()) {
  return instances > 0 ? instances : Math.max(1, cores + instances);
}
