/** A canary as it is judged: what it and the old workers answer in the same time. */
import { html } from '../html.js';
import { formatCountdown } from '../../../../show/quantity.js';
import { compareCanary } from './compare-canary.js';

/** @import { Canary } from '../../shapes.js' */

/** @param {{canary: Canary, now: number}} props */
export function CanaryView({ canary, now }) {
  const { slots, forMs, since } = canary;
  const judgedMs = since === undefined ? 0 : Math.min(forMs, Math.max(0, now - since));
  const names = slots.map((slot) => `:${slot}`).join(', ');
  const time =
    since === undefined
      ? 'Waiting for the canary to be online.'
      : `Judging ${names} beside the old workers, ${formatCountdown(forMs - judgedMs)} left.`;
  return html`
    <p>${time}</p>
    <progress aria-label="time of the judgement" max=${forMs} value=${judgedMs}></progress>
    <table class="plain comparison" aria-label="Canary and old workers">
      <thead>
        <tr>
          <th scope="col">answered</th>
          <th scope="col">canary</th>
          <th scope="col">old workers</th>
          <th scope="col">allowed</th>
        </tr>
      </thead>
      <tbody>
        ${compareCanary(canary).map(
          ({ label, own, old, allowed, isOver }) =>
            html`<tr>
              <th scope="row">${label}</th>
              <td class=${isOver ? 'bad' : ''}>${own}</td>
              <td>${old}</td>
              <td class="dim">${allowed}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  `;
}
