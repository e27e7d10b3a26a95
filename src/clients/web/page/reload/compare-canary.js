/** The figures of a canary and of the old workers, side by side. Pure. */
import { formatLatency } from '../../../../show/quantity.js';

/** @import { Answers, Canary } from '../../shapes.js' */

/**
 * @typedef {object} Comparison
 * @property {string} label
 * @property {string} own
 * @property {string} old
 * @property {string} allowed '' if there is no limit
 * @property {boolean} isOver whether the canary would be taken back if the time were over
 */

/** As in features/canary/decide.js: slower by less is no reason. */
const NOTICEABLE_MS = 10;

/**
 * @param {Canary} canary
 * @returns {Comparison[]}
 */
export function compareCanary({ canary, old, max5xx, maxP99 }) {
  const [own, before] = [shareOf(canary), shareOf(old)];
  return [
    {
      label: 'requests',
      own: String(canary.requests),
      old: String(old.requests),
      allowed: '',
      isOver: false,
    },
    {
      label: '5xx',
      own: percent(own),
      old: percent(before),
      allowed: `${percent(max5xx)} more`,
      isOver: canary.errors > 1 && own > before + max5xx,
    },
    {
      label: 'p99',
      own: formatLatency(canary.p99Ms),
      old: formatLatency(old.p99Ms),
      allowed: `${maxP99} times`,
      isOver: isSlower(canary, old, maxP99),
    },
  ];
}

/** @param {Answers} canary @param {Answers} old @param {number} maxP99 */
function isSlower({ p99Ms: own }, { p99Ms: old }, maxP99) {
  if (own === undefined || old === undefined) return false;
  return own > Math.max(old * maxP99, old + NOTICEABLE_MS);
}

/** @param {Answers} answers */
function shareOf({ errors, requests }) {
  return requests > 0 ? errors / requests : 0;
}

/** @param {number} share @returns {string} `0 %`, `0.3 %`, `12 %` */
function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}
