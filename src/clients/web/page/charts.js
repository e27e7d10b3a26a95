/** The charts of an app or of one of its workers. */
import { useState } from 'preact/hooks';
import { html } from './html.js';
import {
  formatCpu,
  formatInteger,
  formatLatency,
  formatMemory,
  formatRate,
  formatShare,
} from '../../../show/quantity.js';
import { escapeLine } from '../../../show/escape.js';
import { FIGURE } from './data/figures.js';
import { Chart } from './chart.js';
import { chartData, marksOf } from './series.js';

/**
 * @import { FigureName } from './data/figures.js'
 * @import { History } from './data/history.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { PageState } from './data/model.js'
 * @import { ChartProps } from './chart.js'
 */

/** Powers of two, so that the axis says 64M and not 61M. */
const BYTES = Array.from({ length: 41 }, (_, power) => 2 ** power);
/** Of what comes in whole numbers. */
const WHOLE = [1, 10, 100, 1000, 10_000].flatMap((unit) => [unit, 2 * unit, 5 * unit]);
const MIN_BYTES = 32 * 1024 ** 2;

/** Eight fill each row of 1, 2 or 4, and none stands alone in rows of 3. */
const KINDS = [
  kind('requests/s', { requests: '' }, formatRate, 1),
  kind('response time', { latencyP99: 'p99', latencyP50: 'p50' }, formatLatency, 1),
  kind('5xx in the last minute', { errors: '' }, formatInteger, 4, { steps: WHOLE }),
  kind('event loop busy', { elu: '' }, formatShare, 0.2),
  kind('event loop delay', { loopP99: 'p99', loopP50: 'p50' }, formatLatency, 10),
  kind('memory', { memory: 'RSS', heapUsed: 'heap' }, formatMemory, MIN_BYTES, { steps: BYTES }),
  kind('cpu', { cpu: '' }, formatCpu, 20),
  kind('workers online', { online: '' }, formatInteger, 2, { steps: WHOLE, isStepped: true }),
];

/**
 * @param {string} title
 * @param {Partial<Record<FigureName, string>>} labels a line for each figure; empty: the title says it
 * @param {ChartProps['format']} format
 * @param {number} minHigh
 * @param {Pick<ChartProps, 'steps' | 'isStepped'>} [more]
 */
function kind(title, labels, format, minHigh, more) {
  const figures = /** @type {FigureName[]} */ (Object.keys(labels));
  const lines = figures.map((figure, index) => ({
    place: FIGURE[figure],
    label: labels[figure] ?? '',
    colour: ['accent', 'dim'][index],
  }));
  return { title, format, minHigh, lines, ...more };
}

/** @type {[label: string, ms: number][]} */
const RANGES = [
  ['1 min', 60_000],
  ['5 min', 300_000],
  ['15 min', 900_000],
];

/** @param {{state: PageState, appHistory: History, row: Row}} props row: whose charts are shown */
export function Charts({ state: { at, events }, appHistory, row: { key, app } }) {
  const [range, setRange] = useState(RANGES[1][1]);
  const { times } = appHistory;
  const figures = appHistory.of(key);
  const isMeasured = (/** @type {{place: number}} */ { place }) =>
    figures.some((each) => typeof each?.[place] === 'number');
  const kinds = KINDS.filter(({ lines }) => lines.some(isMeasured));
  const from = at - range;
  const marks = marksOf(events, app.name, at).filter((mark) => mark.to >= from && mark.from <= at);
  return html`
    <section class="stack" aria-labelledby="charts-title">
      <div class="bar">
        <h2 id="charts-title">${escapeLine(key)}</h2>
        ${RANGES.map(
          ([label, ms]) =>
            html`<button type="button" aria-pressed=${ms === range} onClick=${() => setRange(ms)}>
              ${label}
            </button>`,
        )}
      </div>
      <div class="charts">
        ${kinds.map((kind) => {
          const places = kind.lines.map(({ place }) => place);
          const data = chartData(times, figures, places, from, at);
          const look = { data, marks, from, to: at };
          return html`<${Chart} key=${`${kind.title} ${key}`} ...${kind} ...${look} />`;
        })}
      </div>
    </section>
  `;
}
