/** How a reload goes whose first workers are being judged. */
import { formatDuration } from '../../shared/units.js';
import { p99Text, shareText } from '../../show/reason.js';

/**
 * @import { AnswerFigures } from './record.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/** @type {ShowFeature} */
export const canary = {
  section({ canary }, now) {
    if (!canary) return null;
    const { slots, since = now, forMs, canary: own, old } = canary;
    const compare = (/** @type {(side: AnswerFigures) => unknown} */ figure) =>
      `${figure(own)}, the old workers ${figure(old)}`;
    return {
      title: 'Canary',
      facts: [
        ['judged', slots.map((slot) => `:${slot}`).join(', ') || 'not online yet'],
        ['time left', formatDuration(Math.max(0, since + forMs - now))],
        ['requests', compare(({ requests }) => requests)],
        ['5xx', compare(shareText)],
        ['p99', compare(p99Text)],
      ],
    };
  },
};
