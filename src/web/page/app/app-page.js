/** One app: charts, its reload, its workers, its last exits, its settings. */
import { html } from '../vendor/preact.js';
import { ActionBar } from '../actions/action-bar.js';
import { EventList } from '../events/event-list.js';
import { maskLine } from '../format/mask.js';
import { statusTone } from '../format/tone.js';
import { linkTo } from '../state/route.js';
import { actionRow, shownApp } from '../state/select.js';
import { rowsOfApp, workersOf } from '../table/rows.js';
import { Table } from '../table/table.js';
import { Charts } from './charts.js';
import { Exits } from './exits.js';
import { Facts } from './facts.js';
import { ReloadView } from './reload-view.js';
import { Settings } from './settings.js';

/**
 * @import { PageProps } from '../frame/page.js'
 * @import { App } from '../state/model.js'
 * @import { Row } from '../table/rows.js'
 */

/** @param {PageProps} props */
export function AppPage({ state, history, appHistory, dispatch }) {
  const app = shownApp(state);
  const row = actionRow(state);
  if (app === null || row === null) {
    return html`<p class="empty">There is no app ${maskLine(state.route.app ?? '')}.</p>`;
  }
  const { details, at, events } = state;
  const data = details !== null && details.name === app.name ? details.data : null;
  const workers = workersOf(app);
  const worker = row.kind === 'worker' ? row.worker : null;
  const ownEvents = events.filter((event) => 'app' in event && event.app === app.name);
  return html`
    <div class="bar title">
      <a class="button" href=${linkTo({ view: 'table' })} aria-label="back to all apps">←</a>
      <h2>${maskLine(app.name)}</h2>
      <span class=${`state is-${statusTone(app.status, app.state)}`}>${maskLine(app.state)}</span>
      <span class="gap"></span>
      <${ActionBar} state=${state} row=${row} dispatch=${dispatch} hasRare />
    </div>
    <${Facts} app=${app} workers=${workers} details=${data} />
    <${ReloadView} ...${{ app, workers, events, details: data, now: at }} />
    <${Charts} state=${state} appHistory=${appHistory} worker=${worker} />
    ${workers.length > 1 && html`<${Workers} ...${{ state, history, dispatch, app, row }} />`}
    <div class="columns">
      ${data && html`<${Exits} details=${data} now=${at} />`}
      ${data && html`<${Settings} details=${data} />`}
      <section class="card pane" aria-labelledby="events-title">
        <h2 id="events-title">Events</h2>
        <${EventList} events=${ownEvents} limit=${50} />
      </section>
    </div>
    ${details?.problem && html`<p class="bad">${maskLine(details.problem)}</p>`}
  `;
}

/**
 * The selected row is the one whose charts are shown.
 * @param {Pick<PageProps, 'state' | 'history' | 'dispatch'> & {app: App, row: Row}} props
 */
function Workers({ state, history, dispatch, app, row }) {
  const onSelect = (/** @type {Row} */ { worker }) => {
    const link = linkTo({ view: 'app', app: app.name, slot: worker?.slot ?? null });
    dispatch({ kind: 'go', link });
  };
  return html`
    <section class="card apps workers">
      <${Table}
        rows=${rowsOfApp(app)}
        selected=${row}
        onSelect=${onSelect}
        ...${{ state, history, dispatch }}
      />
    </section>
  `;
}
