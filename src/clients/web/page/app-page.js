/** One app: its reload, its workers, charts, its last exits, its settings. */
import { html } from './html.js';
import { ActionBar } from './action-bar.js';
import { Charts } from './charts.js';
import { Diagnosis, Exits, LastErrors } from './diagnosis.js';
import { EventList } from './events.js';
import { addressesText } from '../../../show/addresses.js';
import { escapeLine } from '../../../show/escape.js';
import { say } from '../../../show/features.js';
import { problemOf } from '../../../show/problems.js';
import { changeRows } from '../../../show/change.js';
import { appState, appTone } from '../../../show/state.js';
import { ReloadView } from './reload-view.js';
import { goTo, linkTo } from './data/route.js';
import { actionRow, shownApp, shownRows } from './data/select.js';
import { Table } from './table.js';

/**
 * @import { Details } from '../shapes.js'
 * @import { PageProps } from './page.js'
 * @import { PageState } from './data/model.js'
 * @import { Section } from '../../../show/features.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { App } from '../../../protocol/shapes.js'
 */

/** @param {PageProps} props */
export function AppPage({ state, history, appHistory, logs, dispatch }) {
  const app = shownApp(state);
  const row = actionRow(state);
  if (app === null || row === null) {
    return html`<div class="card empty">
      <p>There is no app ${escapeLine(state.route.app ?? '')}.</p>
      <a class="button" href=${linkTo({ view: 'table' })}>All apps</a>
    </div>`;
  }
  const { details, at, events } = state;
  const data = details?.name === app.name ? details.data : null;
  const text = problemOf(app, at)?.text ?? appState(app, at);
  const all = say('section', { ...data?.app, ...app }, at);
  const sections = all.filter(({ isOfDetails }) => !isOfDetails);
  const below = all.filter(({ isOfDetails }) => isOfDetails);
  return html`
    <div class="bar title">
      <a class="button" href=${linkTo({ view: 'table' })} aria-label="back to all apps">←</a>
      <h2>${escapeLine(app.name)}</h2>
      <span class=${`state ${appTone(app, at)}`}>${escapeLine(text)}</span>
      <span class="gap"></span>
      <${ActionBar} state=${state} row=${row} dispatch=${dispatch} hasRare />
    </div>
    <${Diagnosis} ...${{ app, details: data, state, dispatch }} />
    <${LastErrors} lines=${logs.lines} now=${at} />
    <${Facts} app=${app} details=${data} now=${at} />
    ${sections.map((section) => html`<${FeatureSection} key=${section.title} section=${section} />`)}
    <${ReloadView} ...${{ app, events, now: at }} />
    ${app.workers.length > 0 && html`<${Workers} ...${{ state, history, dispatch, app, row }} />`}
    <${Exits} details=${data} now=${at} />
    <${Changes} app=${app} now=${at} />
    <${Charts} ...${{ state, appHistory, row }} />
    <${Columns} ...${{ app, details: data, state, sections: below }} />
    ${details?.problem && html`<p class="bad">${escapeLine(details.problem)}</p>`}
  `;
}

/** @param {{app: App, details: Details | null, state: PageState, sections: Section[]}} props */
function Columns({ app, details, state: { events, at }, sections }) {
  const ownEvents = events.filter((event) => 'app' in event && event.app === app.name);
  return html`
    <div class="columns">
      ${sections.map((section) => html`<${FeatureSection} key=${section.title} section=${section} />`)}
      ${details && html`<${Settings} details=${details} />`}
      <section class="card pane" aria-labelledby="events-title">
        <h2 id="events-title">Events</h2>
        <${EventList} events=${ownEvents} now=${at} />
      </section>
    </div>
  `;
}

/**
 * The selected row is the one whose charts are shown.
 * @param {Pick<PageProps, 'state' | 'history' | 'dispatch'> & {app: App, row: Row}} props
 */
function Workers({ state, history, dispatch, app, row }) {
  const onSelect = (/** @type {Row} */ { worker }) =>
    goTo(linkTo({ view: 'app', app: app.name, slot: worker?.slot ?? null }));
  return html`
    <section class="card apps workers">
      <${Table}
        key=${app.name}
        rows=${shownRows(state)}
        selected=${row}
        onSelect=${onSelect}
        ...${{ state, history, dispatch }}
      />
    </section>
  `;
}

/** What commands changed in its settings and variables. @param {{app: App, now: number}} props */
function Changes({ app, now }) {
  const rows = changeRows(app, now);
  if (rows.length === 0) return null;
  return html`
    <section class="card pane" aria-labelledby="changes-title">
      <h2 id="changes-title">Changes</h2>
      <table class="settings" aria-labelledby="changes-title">
        ${rows.map(
          ([label, text]) =>
            html`<tr>
              <th scope="row">${label}</th>
              <td class="mono value">${text}</td>
            </tr>`,
        )}
      </table>
    </section>
  `;
}

/**
 * The settings of an app and its environment, each with its source.
 * @param {{details: Details}} props
 */
function Settings({ details }) {
  const { settings, environment } = details;
  const changed = settings.filter(({ source }) => source !== 'default');
  const defaults = settings.filter(({ source }) => source === 'default');
  const variables = Object.entries(environment).map(([key, { value, from: source }]) => {
    return { key, value, source };
  });
  return html`
    <section class="card pane" aria-labelledby="settings-title">
      <h2 id="settings-title">Settings</h2>
      ${
        changed.length > 0
          ? html`<${Rows} rows=${changed} label="Settings" />`
          : html`<p class="dim">Every setting has its default.</p>`
      }
      <details>
        <summary>${defaults.length} defaults</summary>
        <${Rows} rows=${defaults} label="Defaults" />
      </details>
      ${
        variables.length > 0 &&
        html`<details>
          <summary>${variables.length} variables of the environment</summary>
          <${Rows} rows=${variables} label="Environment" />
        </details>`
      }
    </section>
  `;
}

/** @param {{rows: {key: string, value: string, source: string}[], label: string}} props */
function Rows({ rows, label }) {
  return html`
    <table class="settings" aria-label=${label}>
      <thead>
        <tr>
          <th scope="col">name</th>
          <th scope="col">value</th>
          <th scope="col">source</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ key, value, source }) =>
            html`<tr>
              <td class="mono">${escapeLine(key)}</td>
              <td class="mono value">${escapeLine(value)}</td>
              <td class="dim">${escapeLine(source)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  `;
}

/** @param {{app: App, details: Details | null, now: number}} props */
function Facts({ app, details, now }) {
  const { note } = app;
  return html`
    <${FactList} facts=${factsOf(app, details, now)} />
    ${note && html`<p class="card pane note warn">${escapeLine(note)}</p>`}
  `;
}

/** @param {Pick<Section, 'facts'>} props without those that have no value */
function FactList({ facts }) {
  return html`
    <dl class="facts">
      ${facts
        .filter(([, value]) => value)
        .map(
          ([label, value, tone = '']) =>
            html`<div>
              <dt>${label}</dt>
              <dd class=${tone}>${escapeLine(value)}</dd>
            </div>`,
        )}
    </dl>
  `;
}

/** @param {App} app @param {Details | null} details @param {number} now @returns {Section['facts']} */
function factsOf(app, details, now) {
  const described = details?.app;
  return [
    ['script', [app.script, ...(described?.spec?.args ?? [])].join(' ')],
    ['listens on', addressesText(app)],
    ['mode', app.mode === 'cluster' ? `cluster, ${app.scheduling}` : app.mode],
    ['generation', app.generation],
    ...say('facts', app, now),
    ['node', described?.node],
    ['user', app.user],
    ['namespace', app.namespace === 'default' ? '' : app.namespace],
    ['cwd', described?.spec?.cwd],
    ['primary', app.primaryPid && `pid ${app.primaryPid}`],
  ];
}

/** What a feature says of the app. @param {{section: Section}} props */
function FeatureSection({ section: { title, load, facts } }) {
  return html`
    <section class="card pane" aria-label=${title}>
      <h2>${title}</h2>
      ${
        load &&
        html`<div class="load">
          <progress aria-label=${load.label} max="1" value=${Math.min(1, load.share)}></progress>
          <i style=${{ left: `${load.target * 100}%` }} title=${load.text}></i>
        </div>`
      }
      <${FactList} facts=${facts} />
    </section>
  `;
}
