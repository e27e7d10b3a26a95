/** The table of all apps and workers, and what can be done to the selected row. */
import { useEffect, useRef } from 'preact/hooks';
import { html, SearchField } from './html.js';
import { linkTo } from './data/route.js';
import { canAct, selectedRow, shownRows, troubleOf } from './data/select.js';
import { Charts } from './charts.js';
import { SPARK_MS, TableRow, TroubleRow } from './row.js';
import { neededColumns } from '../../../show/columns.js';
import { escapeLine } from '../../../show/escape.js';
import { emptyText } from '../../../show/rows.js';
import { areIdle } from '../../confirmation.js';

/**
 * @import { History } from './data/history.js'
 * @import { Dispatch, PageState } from './data/store.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { Column } from '../../../show/columns.js'
 * @import { Trouble } from './row.js'
 * @import { App } from '../../../protocol/shapes.js'
 */

/** @param {{state: PageState, history: History, dispatch: Dispatch}} props */
export function TableView({ state, history, dispatch }) {
  const rows = shownRows(state);
  const selected = selectedRow(state, rows);
  const onFilter = (/** @type {string} */ filter) =>
    dispatch({ kind: 'change', change: { filter } });
  const toTrouble = (/** @type {App} */ app) => briefTroubleOf(app, state.at);
  return html`
    ${
      state.apps.length > 0 &&
      html`<div class="bar sticky">
        <${SearchField}
          id="filter"
          label="Filter by name or state"
          text=${state.filter}
          onChange=${onFilter}
        />
        <span class="gap"></span>
        ${selected && html`<${ActionBar} state=${state} row=${selected} dispatch=${dispatch} />`}
      </div>`
    }
    <div class="card apps">
      ${
        rows.length === 0
          ? html`<p class="empty">${emptyText(state.apps, state.filter)}</p>`
          : html`<${Table}
              isPrimary
              onSelect=${(/** @type {Row} */ { key }) =>
                dispatch({ kind: 'change', change: { selected: key } })}
              ...${{ rows, selected, state, history, dispatch, toTrouble }}
            />`
      }
    </div>
    ${
      selected &&
      selected.app.workers.some(({ status }) => status === 'online') &&
      html`<${Charts} ...${{ state, history, row: selected }} />`
    }
  `;
}

/** Its cause, and one command. @param {App} app @param {number} at epoch ms @returns {Trouble | null} */
function briefTroubleOf(app, at) {
  const trouble = troubleOf(app, at);
  return trouble && { ...trouble, help: trouble.help.slice(0, 1).map(([command]) => [command]) };
}

/**
 * @typedef {object} TableProps
 * @property {Row[]} rows
 * @property {Row | null} selected
 * @property {PageState} state
 * @property {History} history
 * @property {Dispatch} dispatch
 * @property {(row: Row) => void} onSelect
 * @property {(app: App) => Trouble | null} toTrouble what is wrong with it
 * @property {boolean} [isPrimary] the focus follows the selected row
 */

/** @param {TableProps} props */
export function Table({ rows, selected, state, history, dispatch, isPrimary = false, ...props }) {
  const { onSelect, toTrouble } = props;
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
        ${rows.map((row) => {
          const trouble = row.kind === 'worker' ? null : toTrouble(row.app);
          return [
            html`<${TableRow}
              key=${row.key}
              row=${row}
              columns=${columns.current}
              past=${history.since(row.key, state.at - SPARK_MS)}
              at=${state.at}
              isSelected=${row.key === selected?.key}
              onSelect=${onSelect}
              onFold=${onFold}
            />`,
            trouble && html`<${TroubleRow} trouble=${trouble} />`,
          ];
        })}
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
        ${columns.map(({ heading, meaning, priority, width }) => [
          html`<th
            class=${`from-${priority}`}
            style=${{ '--characters': width }}
            scope="col"
            title=${meaning}
          >
            ${heading}
          </th>`,
          heading === 'cpu' && html`<th class="c-spark" scope="col">last min</th>`,
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
