/** How canaries are judged, as commands and programs say it. */
import { isCount, isObject } from '../../shared/checks.js';
import { parseDuration } from '../../shared/units.js';

/**
 * @import { Rolling } from '../../protocol/methods.js'
 * @import { CanaryOrder } from '../../protocol/shapes.js'
 * @import { CanaryOptions, ReloadOptions } from '../../api/types.js'
 */

export const MAX_JUDGED_MS = 86_400_000;

/**
 * @param {Partial<CanaryOrder>} given
 * @returns {CanaryOrder} complete
 */
export function canaryOrder({ instances, forMs, max5xx, maxP99, minRequests }) {
  return {
    instances: instances ?? 1,
    forMs: forMs ?? 120_000,
    max5xx: max5xx ?? 0.01,
    maxP99: maxP99 ?? 2,
    minRequests,
  };
}

/** @type {Record<keyof CanaryOptions, (value: any) => boolean>} */
const IS = {
  instances: (value) => isCount(value) && value > 0,
  for: (value) => isWithin(parseDuration(value), 1, MAX_JUDGED_MS),
  max5xx: (value) => isWithin(value, 0, 1),
  maxP99: (value) => isWithin(value, 1, Infinity),
  minRequests: isCount,
};

/**
 * @param {any} value of the option `canary` of reload()
 * @returns {value is CanaryOptions}
 */
export function isCanaryOptions(value) {
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([name, each]) =>
      Object.hasOwn(IS, name) &&
      (each === undefined || IS[/** @type {keyof CanaryOptions} */ (name)](each)),
  );
}

/**
 * @param {ReloadOptions & {canary?: CanaryOptions}} options
 * @returns {Rolling}
 */
export function readRolling({ parallel, onFailure, canary }) {
  if (!canary) return { parallel, onFailure };
  const forMs = parseDuration(canary.for) ?? undefined;
  return { parallel, onFailure, canary: canaryOrder({ ...canary, forMs }) };
}

/** @param {any} value @param {number} least @param {number} most */
function isWithin(value, least, most) {
  return typeof value === 'number' && value >= least && value <= most;
}
