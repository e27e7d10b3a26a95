/** How a reload goes whose first workers are being judged. */
import { formatDuration } from '../../shared/units.js';
import { describeFigures, describeShare, formatLatency } from './decide.js';

/** @import { ShowFeature } from '../../show/features.js' */

/** @type {ShowFeature} */
export const canary = {
  note({ canary }, now) {
    if (!canary) return null;
    const { slots, since = now, forMs } = canary;
    if (slots.length === 0) return 'waiting for the canary to be online';
    const names = slots.map((slot) => `:${slot}`).join(', ');
    const restMs = Math.max(0, since + forMs - now);
    return `judging ${names} for ${formatDuration(restMs)} more: ${describeFigures(canary)}`;
  },

  section({ canary }, now) {
    if (!canary) return null;
    const { slots, since = now, forMs, max5xx, maxP99, canary: own, old } = canary;
    const judgedMs = Math.min(forMs, Math.max(0, now - since));
    const beside = (/** @type {string} */ text, /** @type {string} */ before) =>
      `${text}, the old workers ${before}`;
    const [share, before] = [own, old].map((each) => describeShare(each.errors, each.requests));
    const [p99, p99Before] = [own, old].map((each) => formatLatency(each.p99Ms));
    return {
      title: 'Canary',
      load: {
        share: judgedMs / forMs,
        target: 1,
        label: 'time of the judgement',
        text: formatDuration(forMs),
      },
      facts: [
        ['judged', slots.map((slot) => `:${slot}`).join(', ') || 'not online yet'],
        ['time left', formatDuration(forMs - judgedMs)],
        ['requests', beside(String(own.requests), String(old.requests))],
        ['5xx', `${beside(share, before)}; ${describeShare(max5xx, 1)} more is allowed`],
        ['p99', `${beside(p99, p99Before)}; ${maxP99} times that is allowed`],
      ],
    };
  },

  metrics: [
    {
      name: 'app_last_reload_taken_back',
      type: 'gauge',
      help: 'Whether the last reload failed because its canary was taken back.',
      read: ({ lastReload, canaryTakenBack = false }) => lastReload && Number(canaryTakenBack),
    },
  ],
};
