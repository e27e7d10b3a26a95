/** What the alarms of an app have delivered, and what they could not. */
import { html } from '../html.js';
import { maskLine } from '../format/mask.js';
import { formatAge, formatCount, formatDuration } from '../format/quantity.js';

/**
 * @import { AlarmView, Undelivered, WaitingNotice } from '../../../../protocol/shapes.js'
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
        ${waiting.map((notice) => html`<li class="warn">${waitingText(notice)}</li>`)}
        ${undelivered.map((notice) => html`<li class="bad">${undeliveredText(notice, now)}</li>`)}
      </ul>
    </article>
  `;
}

/** @param {WaitingNotice} notice */
function waitingText({ type, count, attempts, reason, inMs }) {
  const when = inMs === null ? 'now' : `in ${formatDuration(inMs)}`;
  const failed = attempts > 0 ? `; attempt ${attempts} failed: ${maskLine(reason)}` : '';
  return `waiting: ${maskLine(type)} (${formatCount(count, 'event')}), ${when}${failed}`;
}

/** @param {Undelivered} notice @param {number} now */
function undeliveredText({ type, at, count, attempts, reason }, now) {
  const what = `${maskLine(type)} (${formatCount(count, 'event')})`;
  const tries = formatCount(attempts, 'attempt');
  return `not delivered ${formatAge(now - at)} ago: ${what}, ${tries}: ${maskLine(reason)}`;
}
