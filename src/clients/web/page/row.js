/** One row of the table. */
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { linkTo } from './data/route.js';
import { withFigures } from '../../../show/rows.js';
import { stateText, stateTone } from '../../../show/state.js';
import { bareState } from './data/select.js';
import { GAP_MS, pathOf } from './series.js';

/**
 * @import { Point } from './data/history.js'
 * @import { Column } from '../../../show/columns.js'
 * @import { BareRow as Row, Row as MeasuredRow } from '../../../show/rows.js'
 *
 * @typedef {object} RowProps
 * @property {Row} row
 * @property {Column[]} columns beside its name and its status
 * @property {readonly Point[]} past of the last minute
 * @property {boolean} isExplained why it does not serve is said elsewhere on the page
 * @property {number} at epoch ms of the latest figures
 * @property {boolean} isSelected
 * @property {(row: Row) => void} onSelect
 * @property {(row: Row) => void} onFold
 */

/** @param {RowProps} props */
export function TableRow({ row, columns, past, at, isExplained, isSelected, onSelect, onFold }) {
  const shown = withFigures(row, at);
  const { cpu, memory } = shown.figures;
  const isIdle = cpu === undefined && memory === undefined;
  const text = stateText(row, at);
  return html`
    <tr
      class=${`${row.kind} ${isSelected ? 'is-selected' : ''} ${isIdle ? 'is-idle' : ''}`}
      data-key=${row.key}
      tabindex=${isSelected ? 0 : -1}
      aria-selected=${isSelected}
      aria-level=${row.kind === 'worker' ? 2 : 1}
      aria-expanded=${row.kind === 'app' ? !row.isFolded : undefined}
      onClick=${() => onSelect(row)}
    >
      <td class="name">${nameCell(row, onFold)}</td>
      <td class="status" title=${text}>
        <div class=${`state ${stateTone(row, at)}`}>
          ${stateParts(isExplained ? bareState(row, at) : text)}
        </div>
      </td>
      ${columns.map((column) => figureCells(column, shown, isIdle ? [] : past, at))}
    </tr>
  `;
}

/** Only what is wrong is in the colour of its tone, not how many are online nor why. @param {string} text */
function stateParts(text) {
  const [, before = '', state, after] = /^((?:[\d/–]+ )?online, )?([^:,]*)(.*)$/s.exec(text) ?? [];
  return html`${escapeLine(before)}<b>${escapeLine(state ?? '')}</b>${escapeLine(after ?? '')}`;
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

/** @param {Column} column @param {MeasuredRow} row @param {RowProps['past']} past empty: it does not run @param {number} now */
function figureCells({ text, tone, priority, curve }, row, past, now) {
  const shown = text(row, now);
  // A worker that does not run has no figures; its state takes their room.
  const isBlank = shown === '-' && past.length === 0;
  const cell = html`<td class=${`from-${priority} ${tone?.(row, now) ?? ''}`}>
    ${isBlank ? '' : shown}
  </td>`;
  if (!curve) return cell;
  return [cell, html`<td class="c-spark">${sparkline(past, curve, now)}</td>`];
}

/** The time of a curve, and how high it is drawn. */
export const SPARK_MS = 60_000;
const SPARK_HEIGHT = 24;

/** From its lowest value to its highest: only the shape can be read. @param {readonly Point[]} past @param {NonNullable<Column['curve']>} curve @param {number} now */
function sparkline(past, { figure, minHigh }, now) {
  const values = past.map(({ sample }) => sample?.[figure]);
  const known = values.filter((value) => value !== undefined);
  const low = Math.min(...known);
  const range = Math.max(minHigh / 4, Math.max(...known) - low);
  const points = values.map((value, index) => {
    const y = value === undefined ? null : (1 - (value - low) / range) * SPARK_HEIGHT;
    return /** @type {const} */ ([past[index].at - now + SPARK_MS, y]);
  });
  const box = `0 -1 ${SPARK_MS} ${SPARK_HEIGHT + 2}`;
  return html`
    <svg class="spark" viewBox=${box} preserveAspectRatio="none" aria-hidden="true">
      <path d=${pathOf(points, GAP_MS)} />
    </svg>
  `;
}
