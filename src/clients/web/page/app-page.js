/** One app: its reload, its workers, charts, its last exits, its settings. */
import { html } from './html.js';
import { ActionBar } from './action-bar.js';
import { Charts } from './charts.js';
import { EventList } from './events.js';
import { reasonOf } from '../../../lifecycle/hang-policy.js';
import { escapeLine } from '../../../show/escape.js';
import { say } from '../../../show/features.js';
import { problemsOf } from '../../../show/problems.js';
import { appState, appTone, workerState } from '../../../show/state.js';
import { ReloadView } from './reload-view.js';
import { goTo, linkTo } from './data/route.js';
import { actionRow, shownApp, rowsOfApp } from './data/select.js';
import { Table } from './table.js';
import { formatClock } from '../../../show/quantity.js';
import { earlierOf, exitText, exitsTitle } from '../../../show/event.js';

/**
 * @import { Details } from '../shapes.js'
 * @import { PageProps } from './page.js'
 * @import { PageState } from './data/model.js'
 * @import { Section } from '../../../show/features.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { App, Worker } from '../../../protocol/shapes.js'
 */

/** @param {PageProps} props */
export function AppPage({ state, history, appHistory, dispatch }) {
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
  const [problem] = problemsOf([app], at);
  const all = say('section', { ...app, alarms: data?.app.alarms }, at);
  const sections = all.filter(({ isOfDetails }) => !isOfDetails);
  const below = all.filter(({ isOfDetails }) => isOfDetails);
  return html`
    <div class="bar title">
      <a class="button" href=${linkTo({ view: 'table' })} aria-label="back to all apps">←</a>
      <h2>${escapeLine(app.name)}</h2>
      <span class=${`state ${appTone(app, at)}`}>
        ${escapeLine(problem?.text ?? appState(app, at))}
      </span>
      <span class="gap"></span>
      <${ActionBar} state=${state} row=${row} dispatch=${dispatch} hasRare />
    </div>
    <${Facts} app=${app} details=${data} />
    <${Blocked} app=${app} now=${at} />
    ${sections.map((section) => html`<${FeatureSection} key=${section.title} section=${section} />`)}
    <${ReloadView} ...${{ app, events, now: at }} />
    ${app.workers.length > 0 && html`<${Workers} ...${{ state, history, dispatch, app, row }} />`}
    <${Exits} details=${data} now=${at} />
    <${Charts} ...${{ state, appHistory, row }} />
    <${Columns} ...${{ app, details: data, state, sections: below }} />
    ${details?.problem && html`<p class="bad">${escapeLine(details.problem)}</p>`}
  `;
}

/** @param {{app: App, details: Details | null, state: PageState, sections: Section[]}} props */
function Columns({ app, details, state: { events }, sections }) {
  const ownEvents = events.filter((event) => 'app' in event && event.app === app.name);
  return html`
    <div class="columns">
      ${sections.map((section) => html`<${FeatureSection} key=${section.title} section=${section} />`)}
      ${details && html`<${Settings} details=${details} />`}
      <section class="card pane" aria-labelledby="events-title">
        <h2 id="events-title">Events</h2>
        <${EventList} events=${ownEvents} />
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
        rows=${rowsOfApp(app)}
        selected=${row}
        onSelect=${onSelect}
        ...${{ state, history, dispatch }}
      />
    </section>
  `;
}

/**
 * Where workers are whose event loops are blocked: what `why` says.
 * @param {{app: App, now: number}} props
 */
function Blocked({ app, now }) {
  const blocked = app.workers.filter(({ stack }) => stack);
  if (blocked.length === 0) return null;
  return html`
    <section class="card pane" aria-labelledby="blocked-title">
      <h2 id="blocked-title" class="bad">Blocked</h2>
      ${blocked.map((worker) => html`<${Stack} key=${worker.slot} name=${app.name} worker=${worker} now=${now} />`)}
    </section>
  `;
}

/** Code of Node and of nodecluster is dim. @param {{name: string, worker: Worker, now: number}} props */
function Stack({ name, worker, now }) {
  const { slot, stack } = worker;
  const reason = reasonOf(worker, now);
  const text = reason ?? workerState(worker, now);
  const { frames = [], note, at = 0 } = stack ?? {};
  return html`
    <article>
      <h3>
        <span class="mono">${escapeLine(name)}:${slot}</span> ${escapeLine(text)}
        <span class="dim"> seen at ${formatClock(at)}</span>
      </h3>
      ${note && !reason?.includes(note) && html`<p>It ${escapeLine(note)}.</p>`}
      ${
        frames.length > 0 &&
        html`<ol class="frames" tabindex="0" aria-label="Functions, the innermost first">
          ${frames.map(
            ({ name, file, line, column, origin }) =>
              html`<li class=${origin === 'program' ? '' : 'dim'}>
                <b>${escapeLine(name || '(anonymous)')}</b>
                <span class="dim"> ${escapeLine(file || 'evaluated code')}:${line}:${column}</span>
              </li>`,
          )}
        </ol>`
      }
    </article>
  `;
}

/**
 * The last exits of an app's workers that no command caused, with the end of their stderr.
 * @param {{details: Details | null, now: number}} props
 */
function Exits({ details, now }) {
  if (details === null) return null;
  const { name, workers } = details.app;
  const exits = workers
    .flatMap(({ slot, lastExit: last, earlierExits: earlier = [] }) =>
      last ? [{ slot, last, earlier: earlierOf([last, ...earlier]) }] : [],
    )
    .sort((one, other) => other.last.at - one.last.at);
  if (exits.length === 0) return null;
  return html`
    <section class="card pane" aria-labelledby="exits-title">
      <h2 id="exits-title">${exitsTitle(details.app)}</h2>
      ${exits.map(
        ({ slot, last, earlier }) => html`
          <article class="exit" key=${slot}>
            <h3><span class="mono">${escapeLine(name)}:${slot}</span> ${exitText(last, now)}</h3>
            ${last.lastLines.length > 0 && html`<pre tabindex="0">${last.lastLines.map(escapeLine).join('\n')}</pre>`}
            ${earlier.map((exit) => html`<p class="dim">before that: ${exitText(exit, now)}</p>`)}
          </article>
        `,
      )}
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

/** @param {{app: App, details: Details | null}} props */
function Facts({ app, details }) {
  const { note } = app;
  return html`
    <${FactList} facts=${factsOf(app, details)} />
    ${note && html`<p class="card pane note warn">${escapeLine(note)}</p>`}
  `;
}

/** @param {{facts: [label: string, value: unknown, tone?: string][]}} props without those that have no value */
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

/** @param {App} app @param {Details | null} details @returns {[string, unknown, string?][]} */
function factsOf(app, details) {
  const addresses = app.workers.flatMap(({ listening }) => listening.map(({ address }) => address));
  const described = details?.app;
  return [
    ['script', [app.script, ...(described?.spec?.args ?? [])].join(' ')],
    ['listens on', [...new Set(addresses)].join(', ')],
    ['mode', app.mode === 'cluster' ? `cluster, ${app.scheduling}` : app.mode],
    ['generation', app.generation],
    ['health', healthText(app), 'bad'],
    ['node', described?.node],
    ['user', app.user],
    ['namespace', app.namespace === 'default' ? '' : app.namespace],
    ['cwd', described?.spec?.cwd],
    ['primary', app.primaryPid && `pid ${app.primaryPid}`],
  ];
}

/** @param {App} app @returns {string} whose checks fail, and why */
function healthText({ name, workers }) {
  return workers
    .filter(({ health }) => health?.reason)
    .map(({ slot, health }) => `${name}:${slot}: ${health?.reason}`)
    .join(', ');
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
