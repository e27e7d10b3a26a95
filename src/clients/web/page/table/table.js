/** A table of apps and workers with their figures. */
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../html.js';
import { columns } from './columns.js';
import { TableRow } from './row.js';

/**
 * @import { History } from '../state/history.js'
 * @import { PageState } from '../state/model.js'
 * @import { Dispatch } from '../state/on-action.js'
 * @import { Row } from './rows.js'
 */

/**
 * @typedef {object} TableProps
 * @property {Row[]} rows
 * @property {Row | null} selected
 * @property {PageState} state
 * @property {History} history
 * @property {Dispatch} dispatch
 * @property {(row: Row) => void} onSelect
 * @property {boolean} [isPrimary] apps can be folded, and the focus follows the selected row
 */

/** @param {TableProps} props */
export function Table({ rows, selected, state, history, dispatch, onSelect, isPrimary = false }) {
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (isPrimary) focusSelected(body.current);
  }, [selected?.key]);
  const onFold = (/** @type {Row} */ { app }) => dispatch({ kind: 'fold', app: app.name });
  return html`
    <table role="treegrid" aria-label="Apps and workers" aria-rowcount=${rows.length}>
      <thead>
        <tr>
          <th class="name" scope="col">name</th>
          <th class="status" scope="col">status</th>
          ${columns.map(({ name, heading, curve }) =>
            curve
              ? html`<td class="c-spark"></td>`
              : html`<th class=${`c-${name}`} scope="col">${heading}</th>`,
          )}
        </tr>
      </thead>
      <tbody ref=${body}>
        ${rows.map(
          (row) =>
            html`<${TableRow}
              key=${row.key}
              row=${row}
              figures=${row.worker ? history.ofWorker(row.worker.id) : history.ofApp(row.app.name)}
              at=${state.at}
              isSelected=${row === selected}
              isFolded=${isPrimary && state.folded.has(row.app.name)}
              onSelect=${onSelect}
              onFold=${isPrimary ? onFold : null}
            />`,
        )}
      </tbody>
    </table>
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
