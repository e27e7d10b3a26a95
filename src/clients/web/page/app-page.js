/** One app: what is wrong with it, its workers, its last exits, charts, settings and events. */
import { html } from './html.js';
import { Charts } from './charts.js';
import { Events } from './events.js';
import { eventsBelow, Exits } from './exits.js';
import { frameText } from '../../../lifecycle/hang-policy.js';
import { groupBy } from '../../../shared/groups.js';
import { addressesText } from '../../../show/addresses.js';
import { escapeLine, escapeText } from '../../../show/escape.js';
import { say } from '../../../show/features.js';
import { goTo, linkTo } from './data/route.js';
import { actionRow, shownApp, shownRows, troubleOf } from './data/select.js';
import { ActionBar, Table } from './table.js';

/**
 * @import { Details } from '../shapes.js'
 * @import { PageProps } from './page.js'
 * @import { Section } from '../../../show/features.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { App } from '../../../protocol/shapes.js'
 */

/** @param {PageProps} props */
export function AppPage({ state, history, dispatch }) {
  const app = shownApp(state);
  const row = actionRow(state);
  if (app === null || row === null) return html`<${Missing} name=${state.route.app} />`;
  const { details, at } = state;
  const data = details?.name === app.name ? details.data : null;
  const toTrouble = () => wholeTroubleOf({ ...app, spec: data?.app.spec }, at);
  const onSelect = (/** @type {Row} */ { worker }) =>
    goTo(linkTo({ view: 'app', app: app.name, slot: worker?.slot ?? null }));
  return html`
    <div class="bar title">
      <a class="button" href=${linkTo({ view: 'table' })} aria-label="back to all apps">←</a>
      <h2>${escapeLine(app.name)}</h2>
      <span class="gap"></span>
      <${ActionBar} state=${state} row=${row} dispatch=${dispatch} isTitled />
    </div>
    <section class="card apps workers">
      <${Table}
        key=${app.name}
        rows=${shownRows(state)}
        ...${{ selected: row, onSelect, state, history, dispatch, toTrouble }}
      />
    </section>
    <${Facts} facts=${factsOf(app, data, at)} />
    ${say('section', { ...data?.app, ...app }, at).map(
      (section) => html`<${FeatureSection} key=${section.title} ...${section} />`,
    )}
    <${Exits} app=${app} details=${data} now=${at} />
    <${Charts} ...${{ state, history, row }} />
    ${details?.problem && html`<p class="state bad">${escapeLine(details.problem)}</p>`}
    ${data && html`<${Settings} details=${data} />`}
    <${Events} events=${eventsBelow(state, app)} now=${at} />
  `;
}

/** With all commands, and where workers are blocked. @param {Parameters<typeof troubleOf>[0]} app @param {number} at epoch ms */
function wholeTroubleOf(app, at) {
  const trouble = troubleOf(app, at);
  const stacks = stacksOf(app);
  if (trouble === null || stacks.length === 0) return trouble;
  // The page has what `why` prints.
  const help = trouble.help.filter(([command]) => !/^nodecluster why /.test(command));
  return { ...trouble, stacks, help };
}

/** Where its workers are blocked, each place once. @param {App} app */
function stacksOf({ name, workers }) {
  const blocked = workers.filter(({ stack }) => stack && stack.frames.length > 0);
  const places = groupBy(blocked, ({ stack }) => stack?.frames.map(frameText).join('\n  at '));
  return [...places].map(([place, group]) => {
    const names = group.map(({ slot }) => `${name}:${slot}`).join(', ');
    return escapeText(`${names}\n  at ${place}`);
  });
}

/** @param {{name: string | null}} props */
function Missing({ name }) {
  return html`<div class="card empty">
    <p>There is no app ${escapeLine(name ?? '')}.</p>
    <a class="button" href=${linkTo({ view: 'table' })}>All apps</a>
  </div>`;
}

/** The settings of an app and its environment, each with its source. @param {{details: Details}} props */
function Settings({ details: { settings, environment } }) {
  const changed = settings.filter(({ source }) => source !== 'default');
  const defaults = settings.filter(({ source }) => source === 'default');
  const variables = Object.entries(environment).map(([key, { value, from: source }]) => {
    return { key, value, source };
  });
  const rowsOf = (/** @type {Details['settings']} */ rows) =>
    html`<${Facts}
      facts=${rows.map(({ key, value, source }) => [escapeLine(key), `${value} (${source})`])}
    />`;
  return html`
    <section class="card pane" aria-labelledby="settings-title">
      <h2 id="settings-title">Settings</h2>
      ${rowsOf(changed)}
      <details>
        <summary>${defaults.length} defaults</summary>
        ${rowsOf(defaults)}
      </details>
      <details>
        <summary>${variables.length} variables of the environment</summary>
        ${rowsOf(variables)}
      </details>
    </section>
  `;
}

/** Those that have no value are left out. @param {Pick<Section, 'facts'>} props */
function Facts({ facts }) {
  return html`
    <dl class="facts">
      ${facts
        .filter(([, value]) => value)
        .map(
          ([label, value, tone = '']) =>
            html`<div>
              <dt>${label}</dt>
              <dd class=${tone && `state ${tone}`}>${escapeLine(value)}</dd>
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
    ...say('facts', app, now),
    ['node', described?.node],
    ['user', app.user],
    ['primary', app.primaryPid && `pid ${app.primaryPid}`],
  ];
}

/** What a feature says of the app. @param {Section} props */
function FeatureSection({ title, facts }) {
  return html`
    <section class="card pane" aria-label=${title}>
      <h2>${title}</h2>
      <${Facts} facts=${facts} />
    </section>
  `;
}
