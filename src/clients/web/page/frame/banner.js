/** Says when what is shown may be out of date, and why. */
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';
import { formatAge, formatClock } from '../../../../show/quantity.js';

/** @import { PageState } from '../state/model.js' */

/** @param {{state: PageState, now: number}} props now: epoch ms on this computer */
export function Banner({ state, now }) {
  const problem = problemOf(state, now);
  return html`
    <div class=${problem?.isLost ? 'banner lost' : 'banner'} role="status" aria-live="polite">
      ${problem && html`<span>${problem.text}</span>${problem.age && html` <span aria-hidden="true">${problem.age}</span>`}`}
    </div>
  `;
}

/**
 * @param {PageState} state
 * @returns {boolean} whether what is shown may be out of date
 */
export function isStale({ connection, server }) {
  return server !== null && (connection.kind === 'lost' || server.gone !== undefined);
}

/**
 * The age is apart from the text, so that it is not read aloud every second.
 * @param {PageState} state
 * @param {number} now
 * @returns {{text: string, age?: string, isLost: boolean} | null}
 */
function problemOf({ connection, server, changedAt }, now) {
  if (connection.kind === 'recording') {
    const at = server?.recordedAt;
    return {
      text: `A recording${at ? `, which ended at ${new Date(at).toLocaleString()}` : ''}.`,
      isLost: false,
    };
  }
  if (connection.kind === 'lost') {
    const text = 'The connection to nodecluster web is lost; reconnecting. The apps continue.';
    return { text, age: formatAge(now - changedAt), isLost: true };
  }
  if (!server?.gone) return null;
  const { since, reason } = server.gone;
  const why = reason ? `: ${maskLine(reason)}` : '';
  const text = `No daemon since ${formatClock(since)}${why}. The apps continue to serve; the next daemon is looked for.`;
  return { text, isLost: true };
}
