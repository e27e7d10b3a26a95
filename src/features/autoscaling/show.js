/** What an app that scales itself does, and why. */
import { formatAgo, formatShare } from '../../show/quantity.js';
import { reasonText } from '../../show/reason.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { Autoscaling } from './record.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/** @type {ShowFeature} */
export const autoscaling = {
  range: rangeText,
  section(app, now) {
    const { autoscaling, instances } = app;
    if (!autoscaling) return null;
    const { elu, utilisation, held, lastChange } = autoscaling;
    const busy =
      utilisation === undefined ? 'not measured yet' : `${formatShare(utilisation)} busy`;
    return {
      title: 'Scaling',
      facts: [
        ['workers', `${instances} of ${rangeText(app)}`],
        ['event loops', `${busy}, target ${formatShare(elu)}`],
        ['last change', lastChange && changeText(lastChange, now)],
        ['not scaled now', held && reasonText(held), 'warn'],
      ],
    };
  },
  metrics: [
    {
      name: 'app_workers_max',
      type: 'gauge',
      help: 'Largest number of workers of an app that scales itself.',
      read: (app) => app.autoscaling?.max,
    },
  ],
};

/** @param {App} app @returns {string} `2–8`; empty: its number of workers is fixed */
function rangeText({ autoscaling }) {
  return autoscaling ? `${Number(autoscaling.min)}–${Number(autoscaling.max)}` : '';
}

/** `2 → 3 workers 12s ago: …` @param {NonNullable<Autoscaling['lastChange']>} change @param {number} now */
function changeText({ at, from, to, reason }, now) {
  return `${from} → ${to} workers ${formatAgo(at, now)}: ${reasonText(reason)}`;
}
