/** Whose checks fail, and why. */
import { ageOf, formatAge } from '../../show/quantity.js';

/** @import { ShowFeature } from '../../show/features.js' */

/** @type {ShowFeature} */
export const health = {
  facts({ name, workers }, now) {
    const failing = workers.flatMap(({ slot, health: checked }) => {
      const { reason, failingSince = now } = checked ?? {};
      if (reason === undefined) return [];
      return [`${name}:${slot} fails for ${formatAge(ageOf(failingSince, now))} (${reason})`];
    });
    if (failing.length > 0) return [['health', failing.join(', '), 'bad']];
    const isChecked = workers.some((worker) => worker.health?.status === 'healthy');
    return isChecked ? [['health', 'every check succeeds']] : [];
  },
};
