/** The buttons for the selected app or worker. Each opens a question. */
import { html } from '../vendor/preact.js';
import { maskLine } from '../format/mask.js';
import { linkTo } from '../state/route.js';
import { isIdle } from './confirmation.js';

/**
 * @import { PageState } from '../state/model.js'
 * @import { Dispatch } from '../state/on-action.js'
 * @import { Row } from '../table/rows.js'
 */

/** @type {[action: string, label: string, key: string][]} */
const ALWAYS = [
  ['reload', 'Reload', 'r'],
  ['restart', 'Restart', 'R'],
];

/** @type {[action: string, label: string, key: string][]} */
const RARE = [
  ['reset', 'Reset counters', ''],
  ['flush', 'Empty logs', ''],
  ['delete', 'Delete', ''],
];

/** @param {{state: PageState, row: Row, dispatch: Dispatch, hasRare?: boolean}} props */
export function ActionBar({ state, row, dispatch, hasRare = false }) {
  const { app, worker, kind } = row;
  const slot = kind === 'worker' && worker ? worker.slot : null;
  const logs = linkTo({ view: 'logs', app: app.name, slot });
  if (state.connection.kind === 'recording') return null;
  return html`
    <div class="actions" role="group" aria-label=${`Actions on ${maskLine(row.key)}`}>
      ${(!hasRare || kind === 'worker') && html`<span class="target mono">${maskLine(row.key)}</span>`}
      <a class="button" href=${logs} title="l">Logs</a>
      ${
        !state.server?.isReadOnly &&
        actionsFor(row, hasRare).map(
          ([action, label, key]) =>
            html`<button
              type="button"
              class=${`a-${action}`}
              title=${key}
              disabled=${state.connection.kind !== 'open'}
              onClick=${() => dispatch({ kind: 'ask', action })}
            >
              ${label}
            </button>`,
        )
      }
    </div>
  `;
}

/** @param {Row} row @param {boolean} hasRare */
function actionsFor({ kind, worker, workers }, hasRare) {
  const targets = kind === 'worker' && worker ? [worker] : workers;
  const stopOrStart = targets.every(isIdle) ? 'Start' : 'Stop';
  /** @type {[action: string, label: string, key: string][]} */
  const scale = [
    ['fewer', '−', '-'],
    ['more', '+', '+'],
  ];
  return [
    ...ALWAYS,
    /** @type {[string, string, string]} */ (['stop', stopOrStart, 's']),
    ...(kind === 'worker' ? [] : scale),
    ...(hasRare && kind !== 'worker' ? RARE : []),
  ];
}
