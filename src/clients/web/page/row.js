/** The rows of the table: of apps and workers, and what is wrong with an app. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { linkTo } from './data/route.js';
import { wholeState } from '../../../show/help.js';
import { withFigures } from '../../../show/rows.js';
import { stateText, stateTone } from '../../../show/state.js';
import { GAP_MS, pathOf } from './series.js';

/**
 * @import { Point } from './data/history.js'
 * @import { Column } from '../../../show/columns.js'
 * @import { BareRow as Row, Row as MeasuredRow } from '../../../show/rows.js'
 *
 * @typedef {{causes: string[], help: (readonly [command: string, why?: string])[], stacks?: string[]}} Trouble stacks:
 *   where its workers are blocked
 *
 * @typedef {object} RowProps
 * @property {Row} row
 * @property {Column[]} columns beside its name and its status
 * @property {readonly Point[]} past of the last minute
 * @property {number} at epoch ms of the latest figures
 * @property {boolean} isSelected
 * @property {(row: Row) => void} onSelect
 * @property {(row: Row) => void} onFold
 */

/** @param {RowProps} props */
export function TableRow({ row, columns, past, at, isSelected, onSelect, onFold }) {
  const shown = withFigures(row, at);
  return html`
    <tr
      class=${`${row.kind} ${isSelected ? 'is-selected' : ''}`}
      data-key=${row.key}
      tabindex=${isSelected ? 0 : -1}
      aria-selected=${isSelected}
      aria-level=${row.kind === 'worker' ? 2 : 1}
      aria-expanded=${row.kind === 'app' ? !row.isFolded : undefined}
      onClick=${() => onSelect(row)}
    >
      <td class="name">${nameCell(row, onFold)}</td>
      <td class="status" title=${wholeState(row, at)}>
        <div class=${`state ${stateTone(row, at)}`}>${stateText(row, at)}</div>
      </td>
      ${columns.map((column) => figureCells(column, shown, past, at))}
    </tr>
  `;
}

/** @param {Row} row @param {RowProps['onFold']} onFold */
function nameCell(row, onFold) {
  const { kind, app, worker, isFolded } = row;
  const name = escapeLine(app.name);
  const fold = (/** @type {Event} */ event) => {
    event.stopPropagation();
    onFold(row);
  };
  if (kind === 'worker') {
    const slot = worker?.slot ?? 0;
    const href = linkTo({ view: 'app', app: app.name, slot });
    return html`<a href=${href} tabindex="-1" aria-label=${`${name}:${slot}`}>:${slot}</a>`;
  }
  const button =
    kind === 'app' &&
    html`<button
      type="button"
      class="icon fold"
      tabindex="-1"
      aria-label=${`${isFolded ? 'show' : 'hide'} the workers of ${name}`}
      onClick=${fold}
    >
      ${isFolded ? '▸' : '▾'}
    </button>`;
  return html`${button}<a href=${linkTo({ view: 'app', app: app.name })} tabindex="-1">${name}</a>`;
}

/** Below the row of its app. @param {{trouble: Trouble}} props */
export function TroubleRow({ trouble: { causes, help, stacks = [] } }) {
  return html`
    <tr class="trouble">
      <td colspan="2">
        <div>
          <div>${causes.map((cause) => html`<p key=${cause}>${cause}</p>`)}</div>
          <div>
            ${help.map(
              ([command, why]) =>
                html`<p key=${command}><code>${command}</code> <span class="dim">${why}</span></p>`,
            )}
          </div>
          ${stacks.map((stack) => html`<pre tabindex="0" key=${stack}>${stack}</pre>`)}
        </div>
      </td>
    </tr>
  `;
}

/** The time of the curve of the cpu, and what it shows at least, in percent of a core. */
export const SPARK_MS = 60_000;
const MIN_CPU = 20;

/** @param {Column} column @param {MeasuredRow} row @param {RowProps['past']} past @param {number} now */
function figureCells({ text, tone, priority, heading }, row, past, now) {
  const shown = text(row, now);
  const cell = html`<td class=${`from-${priority} ${tone?.(row, now) ?? ''}`}>
    ${shown === '-' ? '' : shown}
  </td>`;
  if (heading !== 'cpu') return cell;
  return [cell, html`<td class="c-spark">${sparkline(past, now)}</td>`];
}

/** @param {readonly Point[]} past @param {number} now */
function sparkline(past, now) {
  const points = past.map(({ at, sample }) => {
    return /** @type {const} */ ([at - now, sample?.cpu && -sample.cpu]);
  });
  const high = Math.max(MIN_CPU, ...points.map(([, y]) => -(y ?? 0)));
  return html`
    <svg
      class="spark"
      viewBox=${`${-SPARK_MS} ${-high} ${SPARK_MS} ${high}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d=${pathOf(points, GAP_MS)} />
    </svg>
  `;
}
