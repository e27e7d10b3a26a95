/** The events of all apps, or of one. */
import { useState } from 'preact/hooks';
import { html, SearchField } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { formatTime } from '../../../show/quantity.js';
import { eventTone } from '../../../show/tone.js';

/**
 * @import { PageProps } from './page.js'
 * @import { LineEvent } from '../shapes.js'
 */

/** @param {PageProps} props */
export function EventsView({ state: { events, at } }) {
  const [filter, setFilter] = useState('');
  const wanted = filter.toLowerCase();
  const shown = events.filter(({ type, text }) => `${type} ${text}`.toLowerCase().includes(wanted));
  return html`
    <div class="bar sticky">
      <${SearchField}
        id="filter"
        label="Filter by app, worker or event"
        text=${filter}
        onChange=${setFilter}
      />
    </div>
    <${Events} ...${{ events: shown, now: at, filter }} />
  `;
}

/** The latest first. @param {{events: LineEvent[], now: number, filter?: string}} props events: the oldest first */
export function Events({ events, now, filter }) {
  const nothing = filter
    ? `Nothing matches ${filter}`
    : 'None among the last events that the daemon keeps.';
  return html`
    <section class="card pane" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      ${
        events.length === 0
          ? html`<p class="dim">${nothing}</p>`
          : html`<ol class="events" reversed tabindex="0" aria-label="Events, the latest first">
              ${events.toReversed().map((event) => {
                const { earlier = 0, since = now } = 'app' in event ? event : {};
                const repeated = `(${earlier} earlier, since ${formatTime(since, now)})`;
                return html`<li class=${eventTone(event)} key=${event}>
                  <time class="dim">${formatTime(event.at, now)}</time> ${escapeLine(event.text)}
                  ${earlier > 0 && html` <span class="dim">${repeated}</span>`}
                </li>`;
              })}
            </ol>`
      }
    </section>
  `;
}
