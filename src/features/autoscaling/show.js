/** What an app that scales itself does, and why. */
import { maskLine } from '../../show/mask.js';
import { formatAge } from '../../show/quantity.js';

/**
 * @import { AppView, AutoscalingView, ScalingChange } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/** @type {ShowFeature} */
export const autoscaling = {
  range: rangeText,
  news: scalingNews,
  facts: (app) => [['scaling', scalingText(app)]],
};

/**
 * @param {{autoscaling?: Pick<AutoscalingView, 'min' | 'max'> | null}} app
 * @returns {string} `2–8`; empty: its number of workers is fixed
 */
export function rangeText({ autoscaling }) {
  return autoscaling ? `${Number(autoscaling.min)}–${Number(autoscaling.max)}` : '';
}

/**
 * @param {Pick<AutoscalingView, 'elu'> & {utilisation?: number | null}} autoscaling
 * @returns {string} `61 % busy, target 80 %`, of its event loops
 */
export function loadText({ utilisation = null, elu }) {
  const busy = utilisation === null ? 'not measured yet' : `${percent(utilisation)} busy`;
  return `${busy}, target ${percent(elu)}`;
}

/**
 * @param {Pick<ScalingChange, 'from' | 'to' | 'reason'>} change
 * @param {number} agoMs
 * @returns {string} `2 → 3 workers 12 s ago: event loops were 91 % busy`
 */
export function changeText({ from, to, reason }, agoMs) {
  return `${from} → ${to} workers ${formatAge(agoMs)} ago: ${reason}`;
}

/**
 * @param {AppView} app
 * @returns {string | null} `2 → 3 workers 12 s ago: event loops were 91 % busy`; null: nothing has happened
 */
function scalingNews({ autoscaling }) {
  const { lastChange = null, held = null } = autoscaling ?? {};
  const parts = [
    lastChange && changeText(lastChange, lastChange.agoMs),
    held && `not scaled now: ${held}`,
  ].filter((part) => typeof part === 'string');
  return parts.length > 0 ? maskLine(parts.join('; ')) : null;
}

/**
 * @param {AppView} app
 * @returns {string | null} for `describe`; null: its number of workers is fixed
 */
function scalingText(app) {
  const { autoscaling, instances } = app;
  if (!autoscaling) return null;
  const of = autoscaling.utilisation === null ? '' : 'event loops ';
  const state = `${instances} of ${rangeText(app)} workers, ${of}${loadText(autoscaling)}`;
  return [state, scalingNews(app)].filter(Boolean).join('; ');
}

/** @param {number} share */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}
