/** What an app that scales itself does, and why. */
import { maskLine } from '../../cli/render/mask.js';
import { formatAge } from '../../cli/render/quantity.js';

/** @import { AppView } from '../../protocol/shapes.js' */

/**
 * @param {AppView} app
 * @returns {string} `2–8`; empty: its number of workers is fixed
 */
export function rangeText({ autoscaling }) {
  return autoscaling ? `${Number(autoscaling.min)}–${Number(autoscaling.max)}` : '';
}

/**
 * @param {AppView} app
 * @returns {string | null} `2 → 3 workers 12 s ago: event loops were 91 % busy`; null: nothing has happened
 */
export function scalingNews({ autoscaling }) {
  const { lastChange = null, held = null } = autoscaling ?? {};
  const parts = [
    lastChange &&
      `${lastChange.from} → ${lastChange.to} workers ${formatAge(lastChange.agoMs)} ago: ${lastChange.reason}`,
    held && `not scaled now: ${held}`,
  ].filter((part) => typeof part === 'string');
  return parts.length > 0 ? maskLine(parts.join('; ')) : null;
}

/**
 * @param {AppView} app
 * @returns {string | null} for `describe`; null: its number of workers is fixed
 */
export function scalingText(app) {
  const { autoscaling, instances } = app;
  if (!autoscaling) return null;
  const { utilisation, elu } = autoscaling;
  const load =
    utilisation === null ? 'not measured yet' : `event loops ${percent(utilisation)} busy`;
  const state = `${instances} of ${rangeText(app)} workers, ${load}, target ${percent(elu)}`;
  return [state, scalingNews(app)].filter(Boolean).join('; ');
}

/** @param {number} share */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}
