/** The whole page as it follows from the state. */
import { html } from '../html.js';
import { AppPage } from '../app/app-page.js';
import { Help } from '../dialog/help.js';
import { Question } from '../dialog/question.js';
import { EventsView } from '../events/events-view.js';
import { LogsView } from '../logs/logs-view.js';
import { TableView } from '../table/table-view.js';
import { Banner, isStale } from './banner.js';
import { Foot } from './foot.js';
import { Head } from './head.js';
import { Moment } from './moment.js';

/**
 * @import { Logs } from '../logs/logs.js'
 * @import { History } from '../state/history.js'
 * @import { PageState } from '../state/model.js'
 * @import { Dispatch } from '../state/on-action.js'
 */

/**
 * @typedef {object} PageProps
 * @property {PageState} state
 * @property {History} history the last minute of every row
 * @property {History} appHistory of the app that is shown
 * @property {readonly number[]} times of a recording; epoch ms
 * @property {Logs} logs
 * @property {Dispatch} dispatch
 */

/** @param {PageProps} props */
export function Page(props) {
  const { state, history, dispatch } = props;
  const { confirmation, connection, isHelpOpen, server } = state;
  const isSignedOut = connection.kind === 'denied';
  return html`
    <div class=${isStale(state) ? 'page stale' : 'page'}>
      <${Head} state=${state} history=${history} dispatch=${dispatch} />
      <${Banner} state=${state} now=${Date.now()} />
      ${connection.kind === 'recording' && html`<${Moment} ...${props} />`}
      <main id="main" tabindex="-1">
        ${
          isSignedOut || server === null
            ? html`<${Waiting} state=${state} />`
            : html`<${View} ...${props} />`
        }
      </main>
      <${Foot} state=${state} />
      ${
        confirmation &&
        html`<${Question}
          confirmation=${confirmation}
          onChange=${(/** @type {typeof confirmation} */ changed) =>
            dispatch({ kind: 'question', confirmation: changed })}
          onAnswer=${(/** @type {boolean} */ isConfirmed) => dispatch({ kind: 'answer', isConfirmed })}
        />`
      }
      ${
        isHelpOpen &&
        html`<${Help}
          onClose=${() => dispatch({ kind: 'help', isOpen: false })}
          onSignOut=${connection.kind === 'open' ? () => dispatch({ kind: 'sign-out' }) : null}
        />`
      }
    </div>
  `;
}

/** @param {PageProps} props */
function View(props) {
  const { view } = props.state.route;
  if (view === 'app') return html`<${AppPage} ...${props} />`;
  if (view === 'logs') return html`<${LogsView} ...${props} />`;
  if (view === 'events') return html`<${EventsView} ...${props} />`;
  return html`<${TableView} ...${props} />`;
}

/** @param {{state: PageState}} props */
function Waiting({ state }) {
  const { kind, text } = state.connection;
  if (kind !== 'denied') return html`<p class="empty">Connecting …</p>`;
  return html`
    <div class="empty" role="alert">
      <p>
        Open the link that <code>nodecluster web</code> printed. Press Enter there for a new one.
      </p>
      ${text && html`<p class="dim">${text}</p>`}
    </div>
  `;
}
