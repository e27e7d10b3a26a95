/** The table of all apps and workers, and what can be done to the selected row. */
import { useEffect, useRef } from 'preact/hooks';
import { html, SearchField } from './html.js';
import { commandOf } from './diagnosis.js';
import { linkTo } from './data/route.js';
import { canAct, selectedRow, shownRows, troublesOf } from './data/select.js';
import { Charts } from './charts.js';
import { SPARK_MS, TableRow } from './row.js';
import { neededColumns } from '../../../show/columns.js';
import { escapeLine } from '../../../show/escape.js';
import { needsReason } from '../../../show/help.js';
import { formatCount } from '../../../show/quantity.js';
import { appTone, emptyText } from '../../../show/rows.js';
import { areIdle } from '../../confirmation.js';

/**
 * @import { History } from './data/history.js'
 * @import { Dispatch, PageState } from './data/store.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { Column } from '../../../show/columns.js'
 */

/** @param {{state: PageState, history: History, dispatch: Dispatch}} props */
export function TableView({ state, history, dispatch }) {
  const rows = shownRows(state);
  const selected = selectedRow(state, rows);
  const troubles = troublesOf(state);
  const explained = troubles.slice(0, MAX_TROUBLES).map(({ app }) => app.name);
  const isExplained = (/** @type {Row} */ { app, worker }) =>
    worker !== null && explained.includes(app.name) && needsReason(worker, state.at);
  const onFilter = (/** @type {string} */ filter) =>
    dispatch({ kind: 'change', change: { filter } });
  return html`
    <${Troubles} troubles=${troubles} now=${state.at} />
    <div class="bar sticky">
      <${SearchField}
        id="filter"
        label="Filter by name or state"
        text=${state.filter}
        onChange=${onFilter}
      />
      <span class="gap"></span>
      ${selected && html`<${ActionBar} state=${state} row=${selected} dispatch=${dispatch} />`}
    </div>
    <div class="card apps">
      ${
        rows.length === 0
          ? html`<p class="empty">${emptyText(state.apps, state.filter)}</p>`
          : html`<${Table}
              isPrimary
              onSelect=${(/** @type {Row} */ { key }) =>
                dispatch({ kind: 'change', change: { selected: key } })}
              ...${{ rows, selected, state, history, dispatch, isExplained }}
            />`
      }
    </div>
    ${selected && troubles.length === 0 && html`<${Charts} ...${{ state, history, row: selected }} />`}
  `;
}

const MAX_TROUBLES = 6;

/** What the table has no room for, and what helps. @param {{troubles: ReturnType<typeof troublesOf>, now: number}} props */
function Troubles({ troubles, now }) {
  if (troubles.length === 0) return null;
  const rest = troubles.length - MAX_TROUBLES;
  return html`
    <ul class="card pane troubles" aria-label="Problems">
      ${troubles.slice(0, MAX_TROUBLES).map(
        ({ app, causes, command }) =>
          html`<li key=${app.name}>
            <a class=${`state ${appTone(app, now)}`} href=${linkTo({ view: 'app', app: app.name })}>
              <b>${escapeLine(app.name)}</b>
            </a>
            <div>${causes.map((cause) => html`<p>${cause}</p>`)}</div>
            ${command && commandOf(app, command)}
          </li>`,
      )}
      ${rest > 0 && html`<li class="dim">and ${formatCount(rest, 'app')} more</li>`}
    </ul>
  `;
}

/**
 * @typedef {object} TableProps
 * @property {Row[]} rows
 * @property {Row | null} selected
 * @property {PageState} state
 * @property {History} history
 * @property {Dispatch} dispatch
 * @property {(row: Row) => void} onSelect
 * @property {(row: Row) => boolean} isExplained as of TableRow
 * @property {boolean} [isPrimary] the focus follows the selected row
 */

/** @param {TableProps} props */
export function Table({ rows, selected, state, history, dispatch, isPrimary = false, ...props }) {
  const { onSelect, isExplained } = props;
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (isPrimary) focusSelected(body.current);
  }, [selected?.key]);
  const onFold = (/** @type {Row} */ { app }) => dispatch({ kind: 'fold', app });
  const columns = useRef(/** @type {Column[]} */ ([]));
  columns.current = neededColumns(
    'page',
    rows.map(({ app }) => app),
    columns.current,
  );
  return html`
    <table role="treegrid" aria-label="Apps and workers" aria-rowcount=${rows.length}>
      <${Headings} columns=${columns.current} />
      <tbody ref=${body}>
        ${rows.map(
          (row) =>
            html`<${TableRow}
              key=${row.key}
              row=${row}
              columns=${columns.current}
              past=${history.since(row.key, state.at - SPARK_MS)}
              at=${state.at}
              isExplained=${isExplained(row)}
              isSelected=${row.key === selected?.key}
              onSelect=${onSelect}
              onFold=${onFold}
            />`,
        )}
      </tbody>
    </table>
  `;
}

/** @param {{columns: Column[]}} props */
function Headings({ columns }) {
  return html`
    <thead>
      <tr>
        <th class="name" scope="col">name</th>
        <th class="status" scope="col">status</th>
        ${columns.map(({ heading, meaning, priority, width, curve }) => [
          html`<th
            class=${`from-${priority}`}
            style=${{ '--characters': width }}
            scope="col"
            title=${meaning}
          >
            ${heading}
          </th>`,
          curve && html`<th class="c-spark" scope="col">last min</th>`,
        ])}
      </tr>
    </thead>
  `;
}

/** Unless the focus is outside the table. @param {HTMLElement | null} body */
function focusSelected(body) {
  const row = body?.querySelector('tr.is-selected');
  if (!(row instanceof HTMLElement)) return;
  row.scrollIntoView({ block: 'nearest' });
  const { activeElement } = document;
  if (activeElement === document.body || body?.contains(activeElement)) {
    row.focus({ preventScroll: true });
  }
}

/** spoken: what a sign means. @type {Record<string, [label: string, key?: string, spoken?: string]>} */
const OFFERS = {
  reload: ['Reload', 'r'],
  restart: ['Restart', 'R'],
  stop: ['Stop', 's'],
  start: ['Start', 's'],
  fewer: ['−', '-', 'one worker fewer'],
  more: ['+', '+', 'one worker more'],
  'run-now': ['Run now', 'n'],
};

/** The buttons for the selected app or worker. Each opens a question. @param {{state: PageState, row: Row, dispatch: Dispatch, isTitled?: boolean}} props */
export function ActionBar({ state, row, dispatch, isTitled = false }) {
  const { app, worker, kind } = row;
  const slot = kind === 'worker' && worker ? worker.slot : null;
  const actions = state.server?.isReadOnly ? [] : actionsFor(row);
  // The question about a stop asks whether to start what is stopped.
  const ask = (/** @type {string} */ action) =>
    dispatch({ kind: 'ask', action: action === 'start' ? 'stop' : action });
  return html`
    <div class="bar actions" role="group" aria-label=${`Actions on ${escapeLine(row.key)}`}>
      ${(!isTitled || kind === 'worker') && html`<span class="target mono">${escapeLine(row.key)}</span>`}
      <a class="button" href=${linkTo({ view: 'logs', app: app.name, slot })} title="l">Logs</a>
      ${actions.map((action, index) => {
        const [label, key, spoken] = OFFERS[action];
        return html`<button
          type="button"
          class=${isTitled && index === 0 ? 'primary' : ''}
          title=${key}
          aria-label=${spoken}
          disabled=${!canAct(state)}
          onClick=${() => ask(action)}
        >
          ${label}
        </button>`;
      })}
    </div>
  `;
}

/** The one that is asked for most comes first. @param {Row} row @returns {string[]} */
function actionsFor({ app: { job, workers }, kind, worker }) {
  const isOne = kind === 'worker';
  const isIdle = areIdle(isOne && worker ? [worker] : workers);
  if (job) return isIdle ? ['start'] : ['run-now', 'stop'];
  const usual = isIdle ? ['start', 'reload', 'restart'] : ['reload', 'restart', 'stop'];
  return [...usual, ...(isOne ? [] : ['fewer', 'more'])];
}
