/** The table of all apps and workers. */
import { html } from '../html.js';
import { ActionBar } from '../actions/action-bar.js';
import { selectedRow, shownRows } from '../state/select.js';
import { Table } from './table.js';

/**
 * @import { History } from '../state/history.js'
 * @import { PageState } from '../state/model.js'
 * @import { Dispatch } from '../state/on-action.js'
 * @import { Row } from './rows.js'
 */

/** @param {{state: PageState, history: History, dispatch: Dispatch}} props */
export function TableView({ state, history, dispatch }) {
  const rows = shownRows(state);
  const selected = selectedRow(state, rows);
  /** @param {Event} event */
  const onFilter = ({ currentTarget }) => {
    dispatch({ kind: 'filter', text: /** @type {HTMLInputElement} */ (currentTarget).value });
  };
  return html`
    <div class="bar sticky">
      <input
        type="search"
        id="filter"
        placeholder="Filter: name or state"
        aria-label="Filter by name or state"
        value=${state.filter}
        onInput=${onFilter}
      />
      <span class="gap"></span>
      ${selected && html`<${ActionBar} state=${state} row=${selected} dispatch=${dispatch} />`}
    </div>
    <div class="card apps">
      ${
        rows.length === 0
          ? html`<p class="empty">${emptyText(state)}</p>`
          : html`<${Table}
              isPrimary
              onSelect=${(/** @type {Row} */ { key }) => dispatch({ kind: 'select', key })}
              ...${{ rows, selected, state, history, dispatch }}
            />`
      }
    </div>
  `;
}

/** @param {PageState} state */
function emptyText({ server, filter }) {
  if (Object.keys(server?.apps ?? {}).length > 0) return `Nothing matches ${filter}`;
  return 'No apps. Start one: nodecluster start app.js -i max';
}
