/** What is wrong with an app, what helps, and the last exits of its workers. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { exitsOf } from '../../../show/exits.js';
import { causesOf, helpOf, sinceOf } from '../../../show/help.js';
import { linkTo } from './data/route.js';
import { say } from '../../../show/features.js';
import { plain } from '../../../show/paint.js';
import { appTone } from '../../../show/rows.js';

/**
 * @import { VNode } from 'preact'
 * @import { Details } from '../shapes.js'
 * @import { PageState } from './data/store.js'
 * @import { App, Worker } from '../../../protocol/shapes.js'
 */

/** What neither the table of its workers nor their exits say. @param {{app: App, details: Details | null, now: number}} props */
export function Diagnosis({ app, details, now }) {
  const described = new Map(details?.app.workers.map((worker) => [worker.id, worker]));
  // Without a line between, and a title.
  const [, , ...places] = say('workerLines', app, plain, now);
  const others = app.workers.filter(({ id, stack }) => !stack && !described.get(id)?.lastExit);
  const causes = [...causesOf(app, now, { workers: others }), ...sinceOf(app, now)];
  const help = helpOf({ ...app, spec: details?.app.spec }, now);
  if (causes.length + places.length + help.length === 0) return null;
  return html`
    <section class="card pane diagnosis" aria-label="Diagnosis">
      ${causes.length + places.length > 0 && html`<h2>What is wrong</h2>`}
      ${causes.map((text) => html`<p class=${`state ${appTone(app, now)}`} key=${text}>${text}</p>`)}
      ${places.length > 0 && html`<pre tabindex="0">${places.join('\n')}</pre>`}
      ${
        help.length > 0 &&
        html`<h2>What to do now</h2>
          <ul>
            ${help.map(
              ([command, why]) =>
                html`<li class="bar" key=${command}>
                  ${commandOf(app, command)} <span class="dim">${why}</span>
                </li>`,
            )}
          </ul>`
      }
    </section>
  `;
}

/**
 * @param {PageState} state
 * @param {App} app
 * @param {Details | null} details
 * @returns its events, without what the page says above them: causes of exits, the change, where workers are blocked
 */
export function eventsBelow({ events, at }, app, details) {
  const causes = details?.app.workers.map(({ lastExit }) => escapeLine(lastExit?.cause ?? ''));
  const changes = sinceOf(app, at).map((text) => text.split(': ').slice(1).join(': '));
  const said = [...(causes ?? []), ...changes].filter(Boolean).map((text) => `: ${text}`);
  const isBlocked = app.workers.some(({ stack }) => stack);
  return events
    .filter((event) => 'app' in event && event.app === app.name)
    .filter(({ type }) => type !== 'worker.stack' || !isBlocked)
    .map((event) => ({
      ...event,
      text: said.reduce((rest, each) => rest.replace(each, ''), event.text),
    }));
}

/** @param {App} app @param {string} command @returns {VNode} that of logs leads to them */
export function commandOf({ name }, command) {
  const code = html`<code>${command}</code>`;
  if (!command.startsWith('nodecluster logs ')) return code;
  return html`<a href=${linkTo({ view: 'logs', app: name })}>${code}</a>`;
}

/** Those that no command caused, with the end of their stderr. @param {{details: Details | null, now: number}} props */
export function Exits({ details, now }) {
  if (details === null) return null;
  const { name, workers } = details.app;
  const timeOf = (/** @type {Worker} */ { lastExit }) => lastExit?.at ?? 0;
  const latestFirst = [...workers].sort((one, other) => timeOf(other) - timeOf(one));
  const exits = exitsOf({ name, workers: latestFirst }, now);
  if (exits.length === 0) return null;
  return html`
    <section class="card pane" aria-labelledby="exits-title">
      <h2 id="exits-title">Recent exits</h2>
      ${exits.map(
        ({ slot, texts: [last, ...before], lines }) => html`
          <article class="exit" key=${slot}>
            <h3><span class="mono">${escapeLine(name)}:${slot}</span> ${last}</h3>
            ${lines.length > 0 && html`<pre tabindex="0">${lines.map(escapeLine).join('\n')}</pre>`}
            ${before.map((text) => html`<p class="dim">before that: ${text}</p>`)}
          </article>
        `,
      )}
    </section>
  `;
}
