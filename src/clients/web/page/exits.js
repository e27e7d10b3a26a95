/** The last exits of the workers of an app, and its events. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { eventText } from '../../../show/event.js';
import { exitsOf } from '../../../show/exits.js';
import { reasonOf } from '../../../show/help.js';
import { troubleOf } from './data/select.js';

/**
 * @import { Details } from '../shapes.js'
 * @import { PageState } from './data/store.js'
 * @import { App, Worker } from '../../../protocol/shapes.js'
 */

/**
 * @param {PageState} state
 * @param {App} app
 * @returns its events, without causes, changes and stacks if what is wrong stands above them
 */
export function eventsBelow({ events, at }, app) {
  const own = events.filter((event) => 'app' in event && event.app === app.name);
  if (troubleOf(app, at) === null) return own;
  return own
    .filter(({ type }) => type !== 'worker.stack')
    .map((event) => {
      const bare = Object.assign({}, event, { cause: undefined, change: undefined });
      return { ...bare, text: eventText(bare) };
    });
}

/**
 * Those that no command caused, with the end of their stderr, which is closed if the cause stands above.
 * @param {{app: App, details: Details | null, now: number}} props
 */
export function Exits({ app, details, now }) {
  if (details === null) return null;
  const { name, workers } = details.app;
  const timeOf = (/** @type {Worker} */ { lastExit }) => lastExit?.at ?? 0;
  const latestFirst = [...workers].sort((one, other) => timeOf(other) - timeOf(one));
  const exits = exitsOf({ name, workers: latestFirst }, now);
  if (exits.length === 0) return null;
  const isSaid = app.workers.some((worker) => reasonOf(worker, now) !== '');
  return html`
    <section class="card pane" aria-labelledby="exits-title">
      <h2 id="exits-title">Recent exits</h2>
      ${exits.map(({ names, texts: [last, ...before], lines }) => {
        const head = `${names} ${last}`;
        if (before.length + lines.length === 0)
          return html`<p class="dim" key=${names}>${head}</p>`;
        return html`
          <details open=${!isSaid} key=${names}>
            <summary>${head}</summary>
            ${lines.length > 0 && html`<pre tabindex="0">${lines.map(escapeLine).join('\n')}</pre>`}
            ${before.map((text) => html`<p class="dim">before that: ${text}</p>`)}
          </details>
        `;
      })}
    </section>
  `;
}
