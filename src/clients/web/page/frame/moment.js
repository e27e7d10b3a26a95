/** The slider of a recording: which moment is shown. */
import { html } from '../html.js';
import { formatClock } from '../../../../show/quantity.js';

/** @import { PageProps } from './page.js' */

/** @param {PageProps} props */
export function Moment({ state, times, dispatch }) {
  if (times.length < 2) return null;
  const { at } = state;
  const index = times.findLastIndex((time) => time <= at);
  const onInput = (/** @type {Event} */ { currentTarget }) => {
    const { value } = /** @type {HTMLInputElement} */ (currentTarget);
    dispatch({ kind: 'moment', at: times[Number(value)] });
  };
  return html`
    <div class="moment-bar">
      <time>${formatClock(times[0])}</time>
      <input
        type="range"
        aria-label="Moment of the recording"
        aria-valuetext=${formatClock(at)}
        min="0"
        max=${times.length - 1}
        value=${index}
        onInput=${onInput}
      />
      <time>${formatClock(times[times.length - 1])}</time>
      <b>${formatClock(at)}</b>
    </div>
  `;
}
