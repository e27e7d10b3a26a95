/** The events of all apps. */
import { useState } from 'preact/hooks';
import { html } from './html.js';
import { SearchField } from './search-field.js';
import { escapeLine } from '../../../show/escape.js';
import { isOutcome } from '../../../show/event.js';
import { formatTime } from '../../../show/quantity.js';
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
  const wanted = filter.toLowerCase();
  const [isOfCommands, setOfCommands] = useState(false);
  const events = state.events.filter(
    (event) =>
      `${event.type} ${event.text}`.toLowerCase().includes(wanted) &&
      (!isOfCommands || isOutcome(event)),
  );
  return html`
    <div class="bar sticky">
      <${SearchField}
        id="filter"
        label="Filter by app, worker or event"
        text=${filter}
        onChange=${setFilter}
      />
      <button
        type="button"
        aria-pressed=${isOfCommands}
        onClick=${() => setOfCommands(!isOfCommands)}
      >
        Commands only
      </button>
    </div>
    <section class="card pane" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      ${
        events.length === 0 && filter
          ? html`<p class="dim">Nothing matches ${filter}</p>`
          : html`<${EventList} ...${{ events, now: state.at }} />`
      }
    </section>
  `;
}

/**
 * Events, the latest first.
 * @param {{events: LineEvent[], now: number}} props events: the oldest first
 */
export function EventList({ events, now }) {
  if (events.length === 0)
    return html`<p class="dim">None among the last events that the daemon keeps.</p>`;
  return html`
    <ol class="events" reversed tabindex="0" aria-label="Events, the latest first">
      ${foldEvents(events)
        .reverse()
        .map(
          (folded) =>
            html`<${Item} ...${folded} now=${now} key=${`${folded.since} ${folded.key}`} />`,
        )}
    </ol>
  `;
}

/** @param {FoldedEvent & {now: number}} props */
function Item({ event, text, count, since, now }) {
  const { lastLines = [] } = 'lastLines' in event ? event : {};
  return html`
    <li class=${eventTone(event)}>
      <time class="dim">${formatTime(event.at, now)}</time> ${escapeLine(text)}
      ${count > 1 && html` <b>×${count}</b> <span class="dim">since ${formatTime(since, now)}</span>`}
      ${
        lastLines.length > 0 &&
        html`<details>
          <summary>its last lines</summary>
          <pre tabindex="0">${lastLines.map(escapeLine).join('\n')}</pre>
        </details>`
      }
    </li>
  `;
}
