/** What features add to `reload`, for its command and for programs. */
import { examples, flags, fromFlags, options, orderOf } from './canary/reload.js';

/**
 * @import { Rolling } from '../protocol/methods.js'
 * @import { FeatureReloadOptions, FeatureRolling } from './record.js'
 */

export const added = { examples, flags, fromFlags, options };

/** @param {Rolling} params of a command, which has others too @returns {Rolling} how its workers are replaced */
export function rollingIn({ parallel, onFailure, canary }) {
  return { parallel, onFailure, canary };
}

/** By how much longer it takes than others. @param {{canary?: {forMs: number}}} order, or what its primary reports */
export function addedMs({ canary }) {
  return canary?.forMs ?? 0;
}

/** @param {FeatureReloadOptions} options of a program, which have been checked @returns {FeatureRolling} */
export function fromOptions({ canary }) {
  return canary ? { canary: orderOf(canary) ?? undefined } : {};
}
