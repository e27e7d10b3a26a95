/** The latest reload of an app, while it goes on and for a while after; the table of its workers has each of them. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { formatElapsed } from '../../../shared/units.js';
import { formatClock, formatCount } from '../../../show/quantity.js';
import { newWorkers } from '../../../show/state.js';

/**
 * @import { App } from '../../../protocol/shapes.js'
 * @import { LineEvent } from '../shapes.js'
 */

const RECENT_MS = 10 * 60_000;

/** @param {{app: App, events: LineEvent[], now: number}} props */
export function ReloadView({ app, events, now }) {
  const reload = latestReload(app, events, now);
  if (reload === null) return null;
  const { begunAt, done, outcome, text } = reload;
  return html`
    <section class="card pane" aria-labelledby="reload-title">
      <h2 id="reload-title">Reload at ${formatClock(begunAt)} <span class="dim">${text}</span></h2>
      <progress
        aria-label="workers replaced"
        max=${Math.max(1, app.workers.length)}
        value=${done}
      ></progress>
      ${outcome && html`<p class=${outcome.ok ? 'good' : 'bad'}>${escapeLine(outcome.text)}</p>`}
    </section>
  `;
}

/**
 * Pure.
 * @param {App} app
 * @param {LineEvent[]} events the oldest first; of other apps too
 * @param {number} now epoch ms
 */
export function latestReload(app, events, now) {
  const own = events.filter((event) => 'app' in event && event.app === app.name);
  const from = own.findLastIndex(({ type }) => type === 'reload.begun');
  if (from < 0) return null;
  const to = own.findIndex(({ type }, index) => index > from && type === 'reload.ended');
  const during = own.slice(from, to < 0 ? undefined : to + 1);
  const last = during[during.length - 1];
  const outcome = 'kept' in last ? last : null;
  if (outcome && now - outcome.at > RECENT_MS) return null;
  const begunAt = during[0].at;
  const done = (outcome?.done ?? newWorkers(app)).length;
  const parts = [
    `${done} of ${formatCount(app.workers.length, 'worker')} replaced`,
    formatElapsed(Math.max(0, (outcome?.at ?? now) - begunAt)),
    ...troublesOf(during),
  ];
  return { begunAt, done, outcome, text: parts.join(', ') };
}

/** @param {LineEvent[]} events of a reload */
function troublesOf(events) {
  const closed = events.reduce((sum, event) => sum + ('cut' in event ? (event.cut ?? 0) : 0), 0);
  return [
    ...(events.some(({ type }) => type === 'reload.rollback') ? ['rolled back'] : []),
    ...(closed > 0 ? [`${formatCount(closed, 'connection')} closed`] : []),
  ];
}
