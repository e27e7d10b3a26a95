/** One row of the table. It is drawn again only if something in it has changed. */
import { Component } from 'preact';
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { FIGURE, namedFigures } from './data/figures.js';
import { linkTo } from './data/route.js';
import { withFigures } from '../../../show/rows.js';
import { stateText, stateTone } from '../../../show/state.js';

/**
 * @import { Figures } from '../shapes.js'
 * @import { Column } from '../../../show/columns.js'
 * @import { Scale } from '../../../show/quantity.js'
 * @import { BareRow as Row, Row as MeasuredRow } from '../../../show/rows.js'
 *
 * @typedef {object} RowProps
 * @property {Row} row
 * @property {Column[]} columns beside its name and its status
 * @property {readonly (Figures | null)[]} figures of the last minute
 * @property {number} at epoch ms of the latest figures
 * @property {boolean} isSelected
 * @property {(row: Row) => void} onSelect
 * @property {(row: Row) => void} onFold
 */

/** @extends {Component<RowProps>} */
export class TableRow extends Component {
  /** @param {RowProps} next */
  shouldComponentUpdate(next) {
    const { row, columns, at, isSelected } = this.props;
    return (
      at !== next.at ||
      columns.length !== next.columns.length ||
      isSelected !== next.isSelected ||
      !isSameRow(row, next.row)
    );
  }

  /** @param {RowProps} props */
  render({ row, columns, figures, at, isSelected, onSelect, onFold }) {
    const bare = withFigures(row, at);
    const shown = {
      ...bare,
      figures: { ...bare.figures, ...namedFigures(figures.at(-1) ?? null) },
    };
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
          <span class=${`state ${stateTone(row, at)}`}>${escapeLine(text)}</span>
        </td>
        ${columns.map((column) => figureCells(column, shown, isIdle ? [] : figures, at))}
      </tr>
    `;
  }
}

/** @param {Row} one @param {Row} other */
function isSameRow(one, other) {
  if (one.count !== other.count || one.isFolded !== other.isFolded) return false;
  if (one.kind === 'worker' && other.kind === 'worker') {
    return one.worker === other.worker && one.app.workers.length === other.app.workers.length;
  }
  return one.app === other.app;
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

/** @param {Column} column @param {MeasuredRow} row @param {readonly (Figures | null)[]} figures @param {number} now */
function figureCells({ text, tone, priority, curve }, row, figures, now) {
  const shown = text(row, now);
  // A worker that does not run has no figures; its state takes their room.
  const isBlank = shown === '-' && figures.length === 0;
  const cell = html`<td class=${`from-${priority} ${tone?.(row, now) ?? ''}`}>
    ${isBlank ? '' : shown}
  </td>`;
  if (!curve) return cell;
  const values = figures.slice(-SPARK_WIDTH).map((each) => each?.[FIGURE[curve.figure]] ?? null);
  return [cell, html`<td class="c-spark">${sparkline(values, curve.scale(values))}</td>`];
}

/** A curve is this wide, a second for each, and this high. */
const SPARK_WIDTH = 60;
const SPARK_HEIGHT = 16;

/** @param {(number | null)[]} values the newest last; null: not known @param {Scale} scale */
function sparkline(values, scale) {
  const box = `0 -1 ${SPARK_WIDTH - 1} ${SPARK_HEIGHT + 2}`;
  return html`
    <svg class="spark" viewBox=${box} preserveAspectRatio="none" aria-hidden="true">
      <path d=${sparkPath(values, scale)} />
    </svg>
  `;
}

/** @param {readonly (number | null)[]} values @param {Scale} scale @returns {string} of SVG */
export function sparkPath(values, { low, high }) {
  const span = Math.max(high - low, Number.EPSILON);
  const steps = values.map((value, index) => {
    if (value === null) return '';
    const share = Math.min(Math.max((value - low) / span, 0), 1);
    const step = (values[index - 1] ?? null) === null ? 'M' : 'L';
    const x = SPARK_WIDTH - values.length + index;
    return `${step}${x} ${((1 - share) * SPARK_HEIGHT).toFixed(1)}`;
  });
  return steps.join('');
}
