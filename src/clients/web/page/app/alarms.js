/** What the alarms of an app have delivered, and what they could not. */
import { undeliveredText, waitingText } from '../../../../features/alarms/show.js';
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';

/**
 * @import { AlarmView } from '../../../../protocol/shapes.js'
 * @import { Details } from '../../shapes.js'
 */

/** @param {{details: Details, now: number}} props */
export function Alarms({ details, now }) {
  const { alarms } = details.app;
  if (alarms.length === 0) return null;
  return html`
    <section class="card pane" aria-labelledby="alarms-title">
      <h2 id="alarms-title">Alarms</h2>
      ${alarms.map((alarm) => html`<${Alarm} alarm=${alarm} now=${now} />`)}
    </section>
  `;
}

/** @param {{alarm: AlarmView, now: number}} props */
function Alarm({ alarm, now }) {
  const { event, to, delivered, givenUp, waiting, undelivered } = alarm;
  return html`
    <article class="alarm">
      <h3>
        ${event.map(maskLine).join(', ')}
        <span class="dim"> → </span><span class="mono">${maskLine(to)}</span>
      </h3>
      <p class="dim">
        ${delivered} delivered${givenUp > 0 && html`, <span class="bad">${givenUp} given up</span>`}
      </p>
      <ul class="notices">
        ${waiting.map((notice) => html`<li class="warn">waiting: ${waitingText(notice)}</li>`)}
        ${undelivered.map((notice) => html`<li class="bad">not delivered ${undeliveredText(notice, now)}</li>`)}
      </ul>
    </article>
  `;
}
