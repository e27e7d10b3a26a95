/** The head of the page: where one is, the totals and the help. */
import { html } from './html.js';
import { formatCount, formatCpu, formatMemory, formatRate } from '../../../show/quantity.js';
import { escapeLine } from '../../../show/escape.js';
import { FIGURE } from './data/figures.js';
import { linkTo } from './data/route.js';

/**
 * @import { FigureName } from './data/figures.js'
 * @import { History } from './data/history.js'
 * @import { PageState, Route } from './data/model.js'
 * @import { Dispatch } from './data/store.js'
 */

/** @type {[label: string, view: Route['view']][]} */
const VIEWS = [
  ['Apps', 'table'],
  ['Logs', 'logs'],
  ['Events', 'events'],
];

/** @param {{state: PageState, history: History, dispatch: Dispatch}} props */
export function Head({ state, history, dispatch }) {
  const { server, route, connection } = state;
  const views =
    connection.kind === 'recording' ? VIEWS.filter(([, view]) => view !== 'logs') : VIEWS;
  const current = route.view === 'app' ? 'table' : route.view;
  return html`
    <header class="head">
      <h1 title=${server ? `${escapeLine(server.hostname)} ${escapeLine(server.home)}` : ''}>
        node<span>cluster</span>
      </h1>
      <nav aria-label="Views">
        ${views.map(
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
  const apps = Object.values(state.server?.apps ?? {});
  const { text: running, isWhole } = countOnline(apps.flatMap((app) => Object.values(app.workers)));
  const sum = (/** @type {FigureName} */ name) =>
    apps.reduce((total, app) => total + (history.ofApp(app.name).at(-1)?.[FIGURE[name]] ?? 0), 0);
  return html`
    <p class="totals">
      <span><b>${formatCount(apps.length, 'app')}</b></span>
      <span><b class=${isWhole ? '' : 'warn'}>${running}</b></span>
      <span>cpu <b>${formatCpu(sum('cpu'))}</b></span>
      <span>memory <b>${formatMemory(sum('memory'))}</b></span>
      <span><b>${formatRate(sum('requests'))}</b> req/s</span>
    </p>
  `;
}

/** @param {{status: string}[]} workers jobs that wait for their time are as they should be */
export function countOnline(workers) {
  const expected = workers.filter(({ status }) => status !== 'waiting').length;
  const online = workers.filter(({ status }) => status === 'online').length;
  const isWhole = online === expected;
  return { text: isWhole ? `${online} online` : `${online}/${expected} online`, isWhole };
}
