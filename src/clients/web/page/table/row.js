/** One row of the table. It is drawn again only if something in it has changed. */
import { Component } from 'preact';
import { html } from '../html.js';
import { maskLine } from '../../../../show/mask.js';
import { statusOf } from '../../../../show/rows.js';
import { statusTone } from '../../../../show/tone.js';
import { FIGURE } from '../state/history.js';
import { linkTo } from '../state/route.js';
import { columns, withFigures } from './columns.js';
import { stateText } from './rows.js';
import { SPARK_HEIGHT, SPARK_WIDTH, sparkPaths } from './sparkline.js';

/**
 * @import { Figures } from '../../shapes.js'
 * @import { ColumnRow } from '../../../../show/columns.js'
 * @import { Column } from './columns.js'
 * @import { Row } from './rows.js'
 */

/**
 * @typedef {object} RowProps
 * @property {Row} row
 * @property {readonly (Figures | null)[]} figures of the last minute
 * @property {number} at epoch ms of the latest figures
 * @property {boolean} isSelected
 * @property {boolean} isFolded
 * @property {(row: Row) => void} onSelect
 * @property {((row: Row) => void) | null} onFold null: it cannot be folded
 */

/** @extends {Component<RowProps>} */
export class TableRow extends Component {
  /** @param {RowProps} next */
  shouldComponentUpdate(next) {
    const { row, at, isSelected, isFolded } = this.props;
    return (
      at !== next.at ||
      isSelected !== next.isSelected ||
      isFolded !== next.isFolded ||
      !isSameRow(row, next.row)
    );
  }

  /** @param {RowProps} props */
  render({ row, figures, at, isSelected, isFolded, onSelect, onFold }) {
    const latest = figures.at(-1) ?? null;
    const isIdle =
      latest === null || (latest[FIGURE.cpu] === null && latest[FIGURE.memory] === null);
    const shown = withFigures(row, latest, at);
    const classes = [row.kind === 'worker' ? 'worker' : 'app'];
    if (isSelected) classes.push('is-selected');
    if (isIdle) classes.push('is-idle');
    return html`
      <tr
        class=${classes.join(' ')}
        data-key=${row.key}
        tabindex=${isSelected ? 0 : -1}
        aria-selected=${isSelected}
        aria-level=${row.kind === 'worker' ? 2 : 1}
        aria-expanded=${row.kind === 'app' && onFold ? !isFolded : undefined}
        onClick=${() => onSelect(row)}
      >
        <td class="name">${nameCell(row, isFolded, onFold)}</td>
        ${statusCell(row)}
        ${columns.map((column) => figureCell(column, shown, isIdle ? [] : figures))}
      </tr>
    `;
  }
}

/** @param {Row} one @param {Row} other */
function isSameRow(one, other) {
  if (one.kind === 'worker' && other.kind === 'worker') {
    return one.worker === other.worker && one.workers.length === other.workers.length;
  }
  return one.app === other.app;
}

/** @param {Row} row @param {boolean} isFolded @param {RowProps['onFold']} onFold */
function nameCell(row, isFolded, onFold) {
  const { kind, app, worker } = row;
  const name = maskLine(app.name);
  const fold = (/** @type {Event} */ event) => {
    event.stopPropagation();
    onFold?.(row);
  };
  if (kind === 'worker') {
    const slot = worker?.slot ?? 0;
    const href = linkTo({ view: 'app', app: app.name, slot });
    return html`<a href=${href} tabindex="-1" aria-label=${`${name}:${slot}`}>:${slot}</a>`;
  }
  const label = isFolded ? `show the workers of ${name}` : `hide the workers of ${name}`;
  const button =
    kind === 'app' && onFold
      ? html`<button
          type="button"
          class=${isFolded ? 'icon fold is-folded' : 'icon fold'}
          tabindex="-1"
          aria-label=${label}
          onClick=${fold}
        ></button>`
      : html`<span class="no-fold"></span>`;
  return html`${button}<a href=${linkTo({ view: 'app', app: app.name })} tabindex="-1">${name}</a>`;
}

/** @param {Row} row */
function statusCell(row) {
  const text = stateText(row);
  const tone = statusTone(statusOf(row), text);
  return html`<td class=${`status is-${tone}`} title=${text}><span>${maskLine(text)}</span></td>`;
}

/**
 * @param {Column} column
 * @param {ColumnRow} row
 * @param {readonly (Figures | null)[]} figures
 */
function figureCell({ name, text, tone, curve }, row, figures) {
  if (curve) {
    const values = figures.slice(-SPARK_WIDTH).map((each) => each?.[FIGURE[curve.figure]] ?? null);
    return html`<td class="c-spark">${sparkline(values, curve.scale(values))}</td>`;
  }
  const shown = text(row);
  const toneOfCell = tone?.(row);
  // A worker that does not run has no figures; its state takes their room.
  const isBlank = shown === '-' && figures.length === 0;
  return html`<td class=${`c-${name}${toneOfCell ? ` ${toneOfCell}` : ''}`}>
    ${isBlank ? '' : shown}
  </td>`;
}

/** @param {(number | null)[]} values @param {{low: number, high: number}} scale */
function sparkline(values, scale) {
  if (values.every((value) => value === null)) return null;
  const { line, area } = sparkPaths(values, scale);
  const box = `0 -1 ${SPARK_WIDTH - 1} ${SPARK_HEIGHT + 2}`;
  return html`
    <svg class="spark" viewBox=${box} preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d=${area} />
      <path d=${line} />
    </svg>
  `;
}
