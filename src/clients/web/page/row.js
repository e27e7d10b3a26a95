/** One row of the table. It is drawn again only if something in it has changed. */
import { Component } from 'preact';
import { html } from './html.js';
import { escapeLine } from '../../../show/escape.js';
import { FIGURE } from './data/history.js';
import { linkTo } from './data/route.js';
import { columns as shown } from '../../../show/columns.js';
import { cpuScale, memoryScale } from '../../../show/quantity.js';
import { figuresOf } from '../../../show/figures.js';
import { stateText, stateTone } from '../../../show/state.js';

/**
 * @import { Figures } from '../shapes.js'
 * @import { Shown } from '../../../show/columns.js'
 * @import { BareRow as Row, Row as MeasuredRow } from '../../../show/rows.js'
 * @import { Scale } from '../../../show/quantity.js'
 * @import { FigureName } from './data/history.js'
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
    const shown = withFigures(row, latest);
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
        ${statusCell(row, at)}
        ${columns.map((column) => figureCell(column, shown, isIdle ? [] : figures, at))}
      </tr>
    `;
  }
}

/** @param {Row} one @param {Row} other */
function isSameRow(one, other) {
  if (one.kind === 'worker' && other.kind === 'worker') {
    return one.worker === other.worker && one.app.workers.length === other.app.workers.length;
  }
  return one.app === other.app;
}

/** @param {Row} row @param {boolean} isFolded @param {RowProps['onFold']} onFold */
function nameCell(row, isFolded, onFold) {
  const { kind, app, worker } = row;
  const name = escapeLine(app.name);
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

/** @param {Row} row @param {number} now */
function statusCell(row, now) {
  const text = stateText(row, now);
  return html`<td class=${`status is-${stateTone(row, now)}`} title=${text}>
    <span>${escapeLine(text)}</span>
  </td>`;
}

/**
 * @param {Column} column
 * @param {MeasuredRow} row
 * @param {readonly (Figures | null)[]} figures
 * @param {number} now
 */
function figureCell({ name, text, tone, curve }, row, figures, now) {
  if (curve) {
    const values = figures.slice(-SPARK_WIDTH).map((each) => each?.[FIGURE[curve.figure]] ?? null);
    return html`<td class="c-spark">${sparkline(values, curve.scale(values))}</td>`;
  }
  const shown = text(row, now);
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

/**
 * @typedef {object} Curve of the last minute, shown instead of a text
 * @property {FigureName} figure
 * @property {(values: (number | null)[]) => Scale} scale
 *
 * @typedef {Shown & {heading: string, name: string, curve?: Curve}} Column heading: '' for a curve; name: of its
 *   class, after `c-`
 */

/** Beside the column. @type {Record<string, Curve>} */
const CURVES = {
  cpu: { figure: 'cpu', scale: cpuScale },
  memory: { figure: 'memory', scale: memoryScale },
};
const HEADINGS = 'cpu memory loop delay req/s open 5xx p99 restarts uptime port pid'.split(' ');
/** Of headings that cannot be part of a class. @type {Record<string, string>} */
const NAMES = { 'req/s': 'rate' };

/**
 * The figures of a row, from left to right as in `monit`.
 * @type {Column[]}
 */
export const columns = HEADINGS.flatMap((heading) => {
  const column = { ...shown[heading], heading, name: NAMES[heading] ?? heading };
  const curve = CURVES[heading];
  return curve ? [column, { text: () => '', heading: '', name: 'spark', curve }] : [column];
});

/**
 * @param {Row} row
 * @param {Figures | null} figures the latest
 * @returns {MeasuredRow}
 */
function withFigures(row, figures) {
  const { app, worker } = row;
  const figure = (/** @type {FigureName} */ name) => figures?.[FIGURE[name]] ?? undefined;
  const { open, errors } = figuresOf(worker ? [worker] : app.workers);
  return {
    ...row,
    figures: {
      cpu: figure('cpu'),
      memory: figure('memory'),
      elu: figure('elu'),
      eventLoopDelayMs: percentiles(figure('loopP50'), figure('loopP99')),
      requestsPerSecond: figure('requests'),
      open,
      errors,
      latencyMs: percentiles(figure('latencyP50'), figure('latencyP99')),
      restarts: (worker ?? app).restarts,
    },
  };
}

/** @param {number} [p50] @param {number} [p99] */
function percentiles(p50, p99) {
  return p50 === undefined || p99 === undefined ? undefined : { p50, p99 };
}

/** The small curve beside a figure: the last minute. Pure. */
const SPARK_WIDTH = 60;
const SPARK_HEIGHT = 16;

/**
 * @param {readonly (number | null)[]} values the newest last, one for each second; null: not known
 * @param {{low: number, high: number}} scale
 * @returns {{line: string, area: string}} paths of SVG, SPARK_WIDTH × SPARK_HEIGHT
 */
export function sparkPaths(values, { low, high }) {
  const span = Math.max(high - low, Number.EPSILON);
  const first = SPARK_WIDTH - values.length;
  let line = '';
  let area = '';
  let start = -1;
  let end = -1;
  const close = () => {
    if (start >= 0) area += `L${end} ${SPARK_HEIGHT}H${start}Z`;
    start = -1;
  };
  for (const [index, value] of values.entries()) {
    if (value === null) {
      close();
      continue;
    }
    const share = Math.min(Math.max((value - low) / span, 0), 1);
    const point = `${first + index} ${((1 - share) * SPARK_HEIGHT).toFixed(1)}`;
    const step = `${start < 0 ? 'M' : 'L'}${point}`;
    line += step;
    area += step;
    if (start < 0) start = first + index;
    end = first + index;
  }
  close();
  return { line, area };
}
