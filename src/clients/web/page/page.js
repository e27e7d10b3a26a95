/** The whole page as it follows from the state: its head, what is wrong with what it shows, the view, its foot. */
import { html } from './html.js';
import { AppPage } from './app-page.js';
import { Help, Question } from './dialog.js';
import { EventsView } from './events.js';
import { LogsView } from './logs-view.js';
import { TableView } from './table.js';
import { labelsFor } from './keys.js';
import { escapeLine } from '../../../show/escape.js';
import { rowsOf, statusesOf } from '../../../show/rows.js';
import {
  formatClock,
  formatCount,
  formatCpu,
  formatMemory,
  formatRate,
} from '../../../show/quantity.js';
import { FIGURE } from './data/figures.js';
import { linkTo } from './data/route.js';
import { appsOf } from './data/select.js';

/**
 * @import { Logs } from './data/logs.js'
 * @import { History } from './data/history.js'
 * @import { FigureName } from './data/figures.js'
 * @import { PageState, Route } from './data/model.js'
 * @import { Dispatch } from './data/store.js'
 *
 * @typedef {{state: PageState, history: History, appHistory: History, logs: Logs, dispatch: Dispatch}} PageProps
 *   history: the last minute of every row; appHistory: of the app that is shown
 */

/** @param {PageProps} props */
export function Page(props) {
  const { state, history, dispatch } = props;
  const { confirmation, connection, isHelpOpen, server } = state;
  const isWaiting = connection.kind === 'denied' || server === null;
  const isStale = server !== null && (connection.kind === 'lost' || server.gone !== undefined);
  return html`
    <div class=${isStale ? 'page stale' : 'page'}>
      <${Head} state=${state} history=${history} dispatch=${dispatch} />
      <div class="banner" role="status" aria-live="polite">${problemOf(state)}</div>
      <main>
        ${
          isWaiting
            ? html`<${Waiting} state=${state} />`
            : html`<${VIEWS[state.route.view]} ...${props} />`
        }
      </main>
      <${Foot} state=${state} keys=${isWaiting ? [] : labelsFor(state)} />
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

/** @param {{state: PageState, history: History, dispatch: Dispatch}} props */
function Head({ state, history, dispatch }) {
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
      ${server && html`<${Totals} state=${state} history=${history} />`}
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

/** @param {{state: PageState, history: History}} props */
function Totals({ state, history }) {
  const apps = appsOf(state.server);
  const statuses = statusesOf(apps.flatMap(rowsOf), state.at);
  const total = statuses.reduce((sum, { count }) => sum + count, 0);
  const sum = (/** @type {FigureName} */ name) =>
    apps.reduce((total, app) => total + (history.of(app.name).at(-1)?.[FIGURE[name]] ?? 0), 0);
  return html`
    <p class="totals">
      <span><b>${formatCount(apps.length, 'app')}</b></span>
      <span>${formatCount(total, 'worker')}:</span>
      ${statuses.map(({ status, count, tone }) => html`<b class=${tone}>${count} ${status}</b>`)}
      <span>cpu <b>${formatCpu(sum('cpu'))}</b></span>
      <span>memory <b>${formatMemory(sum('memory'))}</b></span>
      <span><b>${formatRate(sum('requests'))}</b> req/s</span>
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
      ${text && html`<p class="warn">${text}</p>`}
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

/** The last line: the latest message, or the keys. @param {{state: PageState, keys: [key: string, label: string][]}} props */
function Foot({ state: { message }, keys }) {
  return html`
    <footer class=${message ? 'foot says' : 'foot'}>
      <span class=${`message ${message?.tone ?? ''}`} role="status" aria-live="polite">
        ${message ? escapeLine(message.text.split('\n')[0]) : ''}
      </span>
      ${!message && keys.map(([key, label]) => html`<span><kbd>${key}</kbd> ${label}</span>`)}
    </footer>
  `;
}
