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
import { Chart } from './chart.js';
import { marksOf } from './series.js';

/**
 * @import { History } from './data/history.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { PageState } from './data/store.js'
 * @import { Kind, Line } from './chart.js'
 */

/** Powers of two, so that the axis says 64M and not 61M. */
const BYTES = Array.from({ length: 41 }, (_, power) => 2 ** power);
/** Of what comes in whole numbers. */
const WHOLE = [1, 10, 100, 1000, 10_000].flatMap((unit) => [unit, 2 * unit, 5 * unit]);
const MIN_BYTES = 32 * 1024 ** 2;

/** Eight fill each row of 1, 2 or 4, and none stands alone in rows of 3. @type {Kind[]} */
const KINDS = [
  kind('requests/s', formatRate, 1, { '': (each) => each.requestsPerSecond }),
  kind('response time', formatLatency, 1, {
    p99: (each) => each.latencyMs?.p99,
    p50: (each) => each.latencyMs?.p50,
  }),
  kind('5xx in the last minute', formatInteger, 4, { '': (each) => each.errors }, WHOLE),
  kind('event loop busy', formatShare, 0.2, { '': (each) => each.elu }),
  kind('event loop delay', formatLatency, 10, {
    p99: (each) => each.eventLoopDelayMs?.p99,
    p50: (each) => each.eventLoopDelayMs?.p50,
  }),
  kind(
    'memory',
    formatMemory,
    MIN_BYTES,
    { RSS: (each) => each.memory, heap: (each) => each.heapUsed },
    BYTES,
  ),
  kind('cpu', formatCpu, 20, { '': (each) => each.cpu }),
  kind('workers online', formatInteger, 2, { '': (each) => each.online }, WHOLE),
];

/**
 * @param {string} title
 * @param {Kind['format']} format
 * @param {number} minHigh
 * @param {Record<string, Line['read']>} reads by the label of the line; '': the title says it
 * @param {Kind['steps']} [steps]
 * @returns {Kind}
 */
function kind(title, format, minHigh, reads, steps) {
  const lines = Object.entries(reads).map(([label, read], index) => {
    return { label, read, look: index === 0 ? 'accent' : 'dim' };
  });
  return { title, format, minHigh, lines, steps };
}

/** @type {[label: string, ms: number, stepMs: number][]} */
const RANGES = [
  ['1 min', 60_000, 15_000],
  ['5 min', 300_000, 60_000],
  ['15 min', 900_000, 300_000],
];

/** @param {{state: PageState, history: History, row: Row}} props row: whose charts are shown */
export function Charts({ state: { at: to, events }, history, row: { key, app } }) {
  const [[, ms, stepMs], setRange] = useState(RANGES[1]);
  const [pointed, onPoint] = useState(/** @type {number | null} */ (null));
  const from = to - ms;
  const { times, samples, kinds } = chartsSince(history, key, from);
  const marks = marksOf(events, app.name, to).filter((mark) => mark.to >= from && mark.from <= to);
  const span = { from, to, stepMs, times, samples, marks, pointed, onPoint };
  return html`
    <section class="stack" aria-labelledby="charts-title">
      <div class="bar">
        <h2 id="charts-title">${escapeLine(key)}</h2>
        ${RANGES.map(
          (range) =>
            html`<button
              type="button"
              aria-pressed=${range[1] === ms}
              onClick=${() => setRange(range)}
            >
              ${range[0]}
            </button>`,
        )}
      </div>
      <div class="charts">
        ${kinds.map((kind) => html`<${Chart} key=${kind.title} ...${kind} ...${span} />`)}
      </div>
    </section>
  `;
}

/** @param {History} history @param {string} key of a row @param {number} from epoch ms; only what was measured has a chart */
export function chartsSince(history, key, from) {
  const isShown = (/** @type {unknown} */ _, /** @type {number} */ index) =>
    history.times[index] >= from;
  const samples = history.of(key).filter(isShown);
  const kinds = KINDS.filter(({ lines: [{ read }] }) =>
    samples.some((each) => each && read(each) !== undefined),
  );
  return { times: history.times.filter(isShown), samples, kinds };
}
