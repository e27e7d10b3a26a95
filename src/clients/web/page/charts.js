/** The charts of an app or of one of its workers: curves, what is marked behind them, and figures. */
import { useState } from 'preact/hooks';
import { html } from './html.js';
import {
  formatClock,
  formatCpu,
  formatInteger,
  formatLatency,
  formatMemory,
  formatRate,
  formatShare,
} from '../../../show/quantity.js';
import { HOUR_MS } from '../../../show/past.js';
import { escapeLine } from '../../../show/escape.js';
import { GAP_MS, marksOf, pathOf, textAt } from './series.js';

/**
 * @import { History, Point, Sample } from './data/history.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { PageState } from './data/store.js'
 * @import { Mark } from './series.js'
 *
 * @typedef {{label: string, look: string, read: (sample: Sample) => number | undefined}} Line label: '' if the
 *   title says it
 *
 * @typedef {object} Kind
 * @property {string} title
 * @property {Line[]} lines
 * @property {number} minHigh what the vertical axis shows at least
 * @property {(value: number | undefined) => string} format
 *
 * @typedef {object} Span the time that all charts show
 * @property {number} from epoch ms
 * @property {number} to epoch ms
 * @property {readonly Point[]} points
 * @property {Mark[]} marks
 * @property {number | null} pointed epoch ms; null: the pointer is elsewhere
 * @property {(at: number | null) => void} onPoint
 */

const MIN_BYTES = 32 * 1024 ** 2;

/** @type {Kind[]} */
const KINDS = [
  kind('requests/s', formatRate, 1, { '': (each) => each.requestsPerSecond }),
  kind('response time', formatLatency, 1, {
    p99: (each) => each.latencyMs?.p99,
    p50: (each) => each.latencyMs?.p50,
  }),
  kind('5xx in the last minute', formatInteger, 4, { '': (each) => each.errors }),
  kind('loop busy', formatShare, 0.2, { '': (each) => each.elu }),
  kind('loop delay', formatLatency, 10, {
    p99: (each) => each.eventLoopDelayMs?.p99,
    p50: (each) => each.eventLoopDelayMs?.p50,
  }),
  kind('memory', formatMemory, MIN_BYTES, { '': (each) => each.memory }),
  kind('cpu', formatCpu, 20, { '': (each) => each.cpu }),
  kind('workers online', formatInteger, 2, { '': (each) => each.online }),
];

/**
 * @param {string} title
 * @param {Kind['format']} format
 * @param {number} minHigh
 * @param {Record<string, Line['read']>} reads by the label of the line; '': the title says it
 * @returns {Kind}
 */
function kind(title, format, minHigh, reads) {
  const lines = Object.entries(reads).map(([label, read], index) => {
    return { label, read, look: index === 0 ? 'accent' : 'dim' };
  });
  return { title, format, minHigh, lines };
}

/** @type {[label: string, ms: number][]} */
const RANGES = [
  ['1 min', 60_000],
  ['5 min', 300_000],
  ['1 hour', HOUR_MS],
];

/** @param {{state: PageState, history: History, row: Row}} props row: whose charts are shown */
export function Charts({ state: { at: to, events }, history, row: { key, app } }) {
  const [ms, setRange] = useState(HOUR_MS);
  const [pointed, onPoint] = useState(/** @type {number | null} */ (null));
  const from = to - ms;
  const points = history.since(key, from);
  const marks = marksOf(events, app.name, to);
  const charts = chartsOf({ from, to, points, marks, pointed, onPoint });
  if (charts.length === 0) return null;
  return html`
    <section class="stack" aria-labelledby="charts-title">
      <div class="bar">
        <h2 id="charts-title">${escapeLine(key)}</h2>
        ${RANGES.map(
          ([label, each]) =>
            html`<button type="button" aria-pressed=${each === ms} onClick=${() => setRange(each)}>
              ${label}
            </button>`,
        )}
      </div>
      <div class=${charts.length % 4 === 0 || charts.length === 7 ? 'charts' : 'charts in-threes'}>
        ${charts.map((props) => html`<${Chart} key=${props.title} ...${props} />`)}
      </div>
    </section>
  `;
}

/** The shortest time that a chart shows. */
const MIN_MS = 30_000;

/** Each begins with its first figure. Of what stays the same, the table says as much. @param {Span} span */
export function chartsOf(span) {
  return KINDS.flatMap((kind) => {
    const [{ read }] = kind.lines;
    const valueOf = (/** @type {Point} */ { sample }) => sample && read(sample);
    // How many workers are online is known also before the app ran.
    const begun = span.points.find(
      (point) => point.sample?.memory !== undefined && valueOf(point) !== undefined,
    );
    const from = Math.max(span.from, Math.min(begun?.at ?? span.to, span.to - MIN_MS));
    const points = span.points.filter(({ at }) => at >= from);
    const values = new Set(points.map(valueOf));
    values.delete(undefined);
    const marks = span.marks.filter((mark) => mark.to >= from && mark.from <= span.to);
    return values.size > 1 ? [{ ...kind, ...span, from, points, marks }] : [];
  });
}

/** The drawing has these measures; CSS gives it its size. */
const WIDTH = 1000;
const HEIGHT = 100;
const STRIP = 4;
/** Many crashes in a row must not hide the curves. */
const CRASH = 12;
const HEADROOM = 1.08;

/** @param {Kind & Span} props */
export function Chart({ title, lines, minHigh, format, ...span }) {
  const { from, to, points, marks, pointed, onPoint } = span;
  const rows = lines.map(({ read, ...line }) => {
    return { ...line, values: points.map(({ sample }) => (sample && read(sample)) ?? null) };
  });
  const known = rows.flatMap(({ values }) => values).filter((value) => value !== null);
  const highest = Math.max(minHigh, ...known);
  const high = highest * HEADROOM;
  const ticks = [0, highest];
  const shown = points.findLastIndex(({ at }) => at <= (pointed ?? to));
  const texts = rows.map(({ label, values }) => `${label} ${format(values[shown] ?? undefined)}`);
  const point = (/** @type {PointerEvent} */ { currentTarget, clientX }) => {
    const { left, width } = /** @type {Element} */ (currentTarget).getBoundingClientRect();
    onPoint(from + ((clientX - left) / width) * (to - from));
  };
  return html`
    <figure class="card chart">
      <figcaption class="bar">
        <b>${title}</b><span class="gap"></span>
        ${texts.map((text, index) => html`<span class=${rows[index].look}>${text}</span>`)}
      </figcaption>
      <div
        class="plot"
        role="img"
        aria-label=${`${title}: ${texts.join(', ')}`}
        title=${pointed === null ? '' : textAt(marks, pointed, (to - from) / 100)}
        onPointerMove=${point}
        onPointerLeave=${() => onPoint(null)}
      >
        <${Drawing} ...${{ span, rows, high, ticks }} />
        <${Axes} ...${{ span, high, ticks, format }} />
      </div>
    </figure>
  `;
}

/** Between two times that are written below. */
const STEPS_MS = [10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 900_000];

/** @param {{span: Span, high: number, ticks: number[], format: Kind['format']}} props */
function Axes({ span: { from, to }, high, ticks, format }) {
  const stepMs = STEPS_MS.find((step) => step * 4 >= to - from) ?? HOUR_MS;
  const first = Math.ceil(from / stepMs) * stepMs;
  const length = Math.floor((to - first) / stepMs) + 1;
  const clocks = Array.from({ length }, (_, index) => first + index * stepMs);
  return html`
    ${ticks.map((tick) => {
      const style = { bottom: `${(tick / high) * 100}%` };
      return html`<span class="tick" style=${style}>${tick === 0 ? '0' : format(tick)}</span>`;
    })}
    ${clocks.map((at) => {
      const style = { left: `${((at - from) / (to - from)) * 100}%` };
      const text = formatClock(at).slice(0, stepMs < 60_000 ? undefined : 5);
      return html`<span class="clock" style=${style}>${text}</span>`;
    })}
  `;
}

/**
 * @param {{span: Span, rows: {look: string, values: (number | null)[]}[], high: number, ticks: number[]}} props high: what
 *   is at the top
 */
function Drawing({ span: { from, to, points, marks, pointed }, rows, high, ticks }) {
  const xOf = (/** @type {number} */ at) => ((at - from) / (to - from)) * WIDTH;
  const yOf = (/** @type {number} */ value) => (1 - value / high) * HEIGHT;
  const gap = (GAP_MS / (to - from)) * WIDTH;
  return html`
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      ${ticks.map((tick) => html`<path class="grid" d=${`M0 ${yOf(tick)}H${WIDTH}`} />`)}
      ${marks.map((mark) => {
        const x = Math.max(0, xOf(mark.from));
        const width = xOf(mark.to) - x;
        return html`<g class=${`mark ${mark.look}`}>
          <rect x=${x} y=${HEIGHT - STRIP} width=${width} height=${STRIP} />
          <path d=${`M${x} ${width > 0 ? 0 : HEIGHT - CRASH}V${HEIGHT}`} />
        </g>`;
      })}
      ${rows.map(({ look, values }) => {
        const curve = values.map((value, index) => {
          return /** @type {const} */ ([xOf(points[index].at), value === null ? null : yOf(value)]);
        });
        return html`<path class=${look} d=${pathOf(curve, gap)} />`;
      })}
      ${pointed !== null && html`<path class="dim" d=${`M${xOf(pointed)} 0V${HEIGHT}`} />`}
    </svg>
  `;
}
