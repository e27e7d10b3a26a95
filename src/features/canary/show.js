/** How a reload goes whose first workers are being judged. */
import { formatDuration } from '../../shared/units.js';
import { describeFigures } from './figures.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/** @type {ShowFeature} */
export const canary = { note: judgement };

/**
 * @param {App} app
 * @param {number} now epoch ms
 * @returns {string | null} `judging :0 for 40s more: 312 requests …`; null: nothing is judged
 */
function judgement({ canary }, now) {
  if (!canary) return null;
  const { slots, since = now, forMs } = canary;
  if (slots.length === 0) return 'waiting for the canary to be online';
  const names = slots.map((slot) => `:${slot}`).join(', ');
  const restMs = Math.max(0, since + forMs - now);
  return `judging ${names} for ${formatDuration(restMs)} more: ${describeFigures(canary)}`;
}
