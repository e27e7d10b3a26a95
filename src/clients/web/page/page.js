/** The whole page as it follows from the state: its head, what is wrong with what it shows, the view, its foot. */
import { html } from './html.js';
import { AppPage } from './app-page.js';
import { Help, Question } from './dialog.js';
import { EventsView } from './events.js';
import { LogsView } from './logs-view.js';
import { TableView } from './table.js';
import { escapeLine } from '../../../show/escape.js';
import { figuresOf, rowsOf, statusesOf } from '../../../show/rows.js';
import {
  formatClock,
  formatCount,
  formatCpu,
  formatMemory,
  formatRate,
} from '../../../show/quantity.js';
import { linkTo } from './data/route.js';

/**
 * @import { Logs } from './data/watch.js'
 * @import { History } from './data/history.js'
 * @import { Route } from './data/route.js'
 * @import { Dispatch, PageState } from './data/store.js'
 *
 * @typedef {{state: PageState, history: History, logs: Logs, dispatch: Dispatch}} PageProps
 */

/** @param {PageProps} props */
export function Page(props) {
  const { state, dispatch } = props;
  const { confirmation, connection, isHelpOpen, message, server } = state;
  const isWaiting = connection.kind === 'denied' || server === null;
  const isStale = server !== null && (connection.kind === 'lost' || server.gone !== undefined);
  return html`
    <div class=${isStale ? 'page stale' : 'page'}>
      <${Head} state=${state} dispatch=${dispatch} />
      <div class="banner" role="status" aria-live="polite">${problemOf(state)}</div>
      <main>
        ${
          isWaiting
            ? html`<${Waiting} state=${state} />`
            : html`<${VIEWS[state.route.view]} ...${props} />`
        }
      </main>
      <footer class=${message ? 'foot says' : 'foot'}>
        <span class=${`message ${message?.tone ?? ''}`} role="status" aria-live="polite">
          ${message ? escapeLine(message.text.split('\n')[0]) : ''}
        </span>
      </footer>
      ${confirmation && html`<${Question} confirmation=${confirmation} dispatch=${dispatch} />`}
      ${
        isHelpOpen &&
        html`<${Help} isSignedIn=${connection.kind === 'open'} dispatch=${dispatch} />`
      }
    </div>
  `;
}

const VIEWS = { app: AppPage, logs: LogsView, events: EventsView, table: TableView };

/** @type {[label: string, view: Route['view']][]} */
const LINKS = [
  ['Apps', 'table'],
  ['Logs', 'logs'],
  ['Events', 'events'],
];

/** @param {{state: PageState, dispatch: Dispatch}} props */
function Head({ state, dispatch }) {
  const { server, route } = state;
  const current = route.view === 'app' ? 'table' : route.view;
  return html`
    <header class="head">
      <h1 title=${server ? `${escapeLine(server.hostname)} ${escapeLine(server.home)}` : ''}>
        node<span>cluster</span>
      </h1>
      <nav aria-label="Views">
        ${LINKS.map(
          ([label, view]) =>
            html`<a href=${linkTo({ view })} aria-current=${current === view ? 'page' : undefined}
              >${label}</a
            >`,
        )}
      </nav>
      ${state.apps.length > 0 && html`<${Totals} state=${state} />`}
      <button
        type="button"
        class="icon"
        aria-label="help"
        onClick=${() => dispatch({ kind: 'change', change: { isHelpOpen: true } })}
      >
        ?
      </button>
    </header>
  `;
}

/** @param {{state: PageState}} props */
function Totals({ state: { apps, at } }) {
  const statuses = statusesOf(apps.flatMap(rowsOf), at);
  const total = statuses.reduce((sum, { count }) => sum + count, 0);
  const all = apps.flatMap(({ workers }) => workers);
  const { cpu = 0, memory = 0, requestsPerSecond = 0 } = figuresOf(all, at);
  return html`
    <p class="totals">
      <span><b>${formatCount(apps.length, 'app')}</b></span>
      <span>${formatCount(total, 'worker')}:</span>
      ${statuses.map(({ status, count, tone }) => html`<b class=${tone}>${count} ${status}</b>`)}
      <span>cpu <b>${formatCpu(cpu)}</b></span>
      <span>memory <b>${formatMemory(memory)}</b></span>
      <span><b>${formatRate(requestsPerSecond)}</b> req/s</span>
    </p>
  `;
}

/** @param {{state: PageState}} props */
function Waiting({ state }) {
  const { kind, text } = state.connection;
  if (kind !== 'denied') return html`<p class="empty">Connecting …</p>`;
  return html`
    <section class="card pane signed-out" role="alert">
      <h2>Sign in</h2>
      <p>
        Open the last link that <code>nodecluster web</code> printed, in its terminal or its log. If
        that link is older than ten minutes, a new one is printed then.
      </p>
      ${text && html`<p class="state warn">${text}</p>`}
    </section>
  `;
}

/** @param {PageState} state @returns {string | null} why what is shown may be out of date */
function problemOf({ connection, server }) {
  if (connection.kind === 'lost') {
    return 'The connection to nodecluster web is lost; reconnecting. The apps continue.';
  }
  if (!server?.gone) return null;
  const { since, reason } = server.gone;
  const why = reason ? `: ${escapeLine(reason)}` : '';
  return `No daemon since ${formatClock(since)}${why}. The apps continue to serve; the next daemon is looked for.`;
}
