/** One app: charts, its reload, its workers, its last exits, its settings. */
import { html } from '../html.js';
import { ActionBar } from '../actions/action-bar.js';
import { Charts } from '../charts/charts.js';
import { EventList } from '../events/event-list.js';
import { maskLine } from '../../../../show/mask.js';
import { statusTone } from '../../../../show/tone.js';
import { ReloadView } from '../reload/reload-view.js';
import { linkTo } from '../state/route.js';
import { actionRow, shownApp } from '../state/select.js';
import { rowsOfApp, workersOf } from '../table/rows.js';
import { Table } from '../table/table.js';
import { Alarms } from './alarms.js';
import { Blocked } from './blocked.js';
import { Exits } from './exits.js';
import { Facts } from './facts.js';
import { Job } from './job.js';
import { Scaling } from './scaling.js';
import { Settings } from './settings.js';

/**
 * @import { Details } from '../../shapes.js'
 * @import { PageProps } from '../frame/page.js'
 * @import { App, PageState } from '../state/model.js'
 * @import { Row } from '../table/rows.js'
 */

/** @param {PageProps} props */
export function AppPage({ state, history, appHistory, dispatch }) {
  const app = shownApp(state);
  const row = actionRow(state);
  if (app === null || row === null) {
    return html`<div class="card empty">
      <p>There is no app ${maskLine(state.route.app ?? '')}.</p>
      <a class="button" href=${linkTo({ view: 'table' })}>All apps</a>
    </div>`;
  }
  const { details, at, events } = state;
  const data = details !== null && details.name === app.name ? details.data : null;
  const workers = workersOf(app);
  const worker = row.kind === 'worker' ? row.worker : null;
  return html`
    <div class="bar title">
      <a class="button" href=${linkTo({ view: 'table' })} aria-label="back to all apps">←</a>
      <h2>${maskLine(app.name)}</h2>
      <span class=${`state is-${statusTone(app.status, app.state)}`}>${maskLine(app.state)}</span>
      <span class="gap"></span>
      <${ActionBar} state=${state} row=${row} dispatch=${dispatch} hasRare />
    </div>
    <${Facts} app=${app} workers=${workers} details=${data} />
    <${Blocked} app=${app} workers=${workers} />
    <${Job} app=${app} now=${at} />
    <${Scaling} app=${app} now=${at} />
    <${ReloadView} ...${{ app, workers, events, details: data, now: at }} />
    <${Charts} ...${{ state, appHistory, worker, title: titleOf(row) }} />
    ${workers.length > 1 && html`<${Workers} ...${{ state, history, dispatch, app, row }} />`}
    <${Columns} ...${{ app, details: data, state }} />
    ${details?.problem && html`<p class="bad">${maskLine(details.problem)}</p>`}
  `;
}

/** @param {{app: App, details: Details | null, state: PageState}} props */
function Columns({ app, details, state: { at, events } }) {
  const ownEvents = events.filter((event) => 'app' in event && event.app === app.name);
  return html`
    <div class="columns">
      ${details && html`<${Exits} details=${details} now=${at} />`}
      ${details && html`<${Alarms} details=${details} now=${at} />`}
      ${details && html`<${Settings} details=${details} />`}
      <section class="card pane" aria-labelledby="events-title">
        <h2 id="events-title">Events</h2>
        <${EventList} events=${ownEvents} limit=${50} />
      </section>
    </div>
  `;
}

/** @param {Row} row whose charts are shown */
function titleOf({ kind, key }) {
  if (kind === 'worker') return key;
  return kind === 'app' ? 'All workers' : 'Figures';
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
