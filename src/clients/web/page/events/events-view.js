/** The events of all apps. */
import { html } from '../html.js';
import { EventList } from './event-list.js';

/** @import { PageProps } from '../frame/page.js' */

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
