/** The events of all apps, or of one. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { formatTime } from '../../../show/quantity.js';
import { eventTone } from '../../../show/tone.js';

/**
 * @import { PageProps } from './page.js'
 * @import { LineEvent } from '../shapes.js'
 */

/** @param {PageProps} props */
export function EventsView({ state: { events, at } }) {
  return html`<${Events} events=${events} now=${at} />`;
}

/** The latest first. @param {{events: LineEvent[], now: number}} props events: the oldest first */
export function Events({ events, now }) {
  return html`
    <section class="card pane" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      ${
        events.length === 0
          ? html`<p class="dim">None among the last events that the daemon keeps.</p>`
          : html`<ol class="events" reversed tabindex="0" aria-label="Events, the latest first">
              ${events.toReversed().map((event) => {
                const text = escapeLine(event.text);
                return html`<li class=${eventTone(event)} key=${event}>
                  <time class="dim">${formatTime(event.at, now)}</time> ${text}
                </li>`;
              })}
            </ol>`
      }
    </section>
  `;
}
