/** The events of all apps. */
import { useState } from 'preact/hooks';
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { formatClock } from '../../../show/quantity.js';
import { eventTone } from '../../../show/tone.js';
import { foldEvents } from './data/fold-events.js';

/**
 * @import { PageProps } from './page.js'
 * @import { LineEvent } from '../shapes.js'
 * @import { FoldedEvent } from './data/fold-events.js'
 */

/** @param {PageProps} props */
export function EventsView({ state }) {
  const [filter, setFilter] = useState('');
  const onInput = (/** @type {Event} */ { currentTarget }) =>
    setFilter(/** @type {HTMLInputElement} */ (currentTarget).value);
  const wanted = filter.toLowerCase();
  const events = state.events.filter(({ type, text }) =>
    `${type} ${text}`.toLowerCase().includes(wanted),
  );
  return html`
    <div class="bar sticky">
      <input
        type="search"
        id="filter"
        placeholder="Filter: app, worker or event"
        aria-label="Filter by app, worker or event"
        value=${filter}
        onInput=${onInput}
      />
    </div>
    <section class="card pane" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      ${
        events.length === 0 && filter
          ? html`<p class="dim">Nothing matches ${filter}</p>`
          : html`<${EventList} events=${events} />`
      }
    </section>
  `;
}

/**
 * Events, the latest first.
 * @param {{events: LineEvent[]}} props events: the oldest first
 */
export function EventList({ events }) {
  if (events.length === 0) return html`<p class="dim">None since this page was opened.</p>`;
  return html`
    <ol class="events" reversed tabindex="0" aria-label="Events, the latest first">
      ${foldEvents(events)
        .reverse()
        .map((folded) => html`<${Item} key=${`${folded.since} ${folded.text}`} ...${folded} />`)}
    </ol>
  `;
}

/** @param {FoldedEvent} props */
function Item({ event, text, count, since }) {
  return html`
    <li class=${eventTone(event)}>
      <time class="dim">${formatClock(event.at)}</time> ${escapeLine(text)}
      ${count > 1 && html` <b>×${count}</b> <span class="dim">since ${formatClock(since)}</span>`}
      ${'lastLines' in event && event.lastLines?.length ? html`<${LastLines} ...${event} />` : null}
    </li>
  `;
}

/** The end of its stderr. @param {{lastLines: string[]}} event */
function LastLines({ lastLines }) {
  return html`
    <details>
      <summary>its last lines</summary>
      <pre tabindex="0">${lastLines.map(escapeLine).join('\n')}</pre>
    </details>
  `;
}
