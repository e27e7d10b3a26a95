/** The events of all apps. */
import { html } from './html.js';
import { maskLine } from '../../../show/mask.js';
import { formatClock } from '../../../show/quantity.js';
import { eventTone } from '../../../show/tone.js';

/**
 * @import { PageProps } from './page.js'
 * @import { LineEvent } from '../shapes.js'
 */

const LIMIT = 500;

/** @param {PageProps} props */
export function EventsView({ state }) {
  return html`
    <section class="card pane" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      <${EventList} events=${state.events} limit=${LIMIT} />
    </section>
  `;
}

/**
 * Events, the latest first.
 * @param {{events: LineEvent[], limit: number}} props events: the oldest first
 */
export function EventList({ events, limit }) {
  if (events.length === 0) return html`<p class="dim">None since this page was opened.</p>`;
  const shown = events.slice(-limit).reverse();
  return html`
    <ol class="events" reversed tabindex="0" aria-label="Events, the latest first">
      ${shown.map(
        (event) =>
          html`<li key=${`${event.at} ${event.text}`} class=${eventTone(event)}>
            <time class="dim">${formatClock(event.at)}</time> ${maskLine(event.text)}
            ${'lastLines' in event && event.lastLines?.length ? html`<${LastLines} ...${event} />` : null}
          </li>`,
      )}
    </ol>
  `;
}

/** The end of its stderr. @param {{lastLines: string[]}} event */
function LastLines({ lastLines }) {
  return html`
    <details>
      <summary>its last lines</summary>
      <pre tabindex="0">${lastLines.map(maskLine).join('\n')}</pre>
    </details>
  `;
}
