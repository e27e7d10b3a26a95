/** One chart over time: its curves, what is marked behind them, and the figures at the pointer, or else the latest. */
import { html } from './html.js';
import { formatClock } from '../../../show/quantity.js';
import { pathOf, textAt } from './series.js';

/**
 * @import { Sample } from './data/history.js'
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
 * @property {readonly number[]} [steps] of the vertical axis; the least first
 *
 * @typedef {object} Span the time that all charts show
 * @property {number} from epoch ms
 * @property {number} to epoch ms
 * @property {number} stepMs between two times that are written below
 * @property {readonly number[]} times of the samples
 * @property {readonly (Sample | null)[]} samples
 * @property {Mark[]} marks
 * @property {number | null} pointed epoch ms; null: the pointer is elsewhere
 * @property {(at: number | null) => void} onPoint
 */

/** The drawing has these measures; CSS gives it its size. */
const WIDTH = 1000;
const HEIGHT = 100;
const STRIP = 4;
const MAX_STEPS = 4;
const HEADROOM = 1.08;
/** Samples come once a second. */
const GAP_MS = 5000;

/** From a thousandth on. */
const STEPS = Array.from({ length: 13 }, (_, power) => 10 ** (power - 3)).flatMap((unit) => [
  unit,
  2 * unit,
  5 * unit,
]);

/** @param {Kind & Span} props */
export function Chart({ title, lines, minHigh, format, steps = STEPS, ...span }) {
  const { from, to, times, samples, marks, pointed, onPoint } = span;
  const rows = lines.map(({ read, ...line }) => {
    return { ...line, values: samples.map((each) => (each && read(each)) ?? null) };
  });
  const known = rows.flatMap(({ values }) => values).filter((value) => value !== null);
  const high = Math.max(minHigh, ...known) * HEADROOM;
  const step = steps.find((each) => each * MAX_STEPS >= high) ?? high;
  const ticks = multiples(step, 0, high);
  const shown = times.findLastIndex((at) => at <= (pointed ?? to));
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
        ${known.length === 0 && html`<p class="none">nothing in this time</p>`}
      </div>
    </figure>
  `;
}

/** @param {{span: Span, high: number, ticks: number[], format: Kind['format']}} props */
function Axes({ span: { from, to, stepMs }, high, ticks, format }) {
  return html`
    ${ticks.map((tick) => {
      const style = { bottom: `${(tick / high) * 100}%` };
      return html`<span class="tick" style=${style}>${tick === 0 ? '0' : format(tick)}</span>`;
    })}
    ${multiples(stepMs, from, to).map((at) => {
      const style = { left: `${((at - from) / (to - from)) * 100}%` };
      const text = formatClock(at).slice(0, stepMs < 60_000 ? undefined : 5);
      return html`<span class="clock" style=${style}>${text}</span>`;
    })}
  `;
}

/** @param {number} step @param {number} from @param {number} to @returns {number[]} all between the two */
function multiples(step, from, to) {
  const first = Math.ceil(from / step);
  const length = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length }, (_, index) => (first + index) * step);
}

/**
 * @param {{span: Span, rows: {look: string, values: (number | null)[]}[], high: number, ticks: number[]}} props high: what
 *   is at the top
 */
function Drawing({ span: { from, to, times, marks, pointed }, rows, high, ticks }) {
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
          <path d=${`M${x} 0V${HEIGHT}`} />
        </g>`;
      })}
      ${rows.map(({ look, values }) => {
        const points = values.map((value, index) => {
          return /** @type {const} */ ([xOf(times[index]), value === null ? null : yOf(value)]);
        });
        return html`<path class=${look} d=${pathOf(points, gap)} />`;
      })}
      ${pointed !== null && html`<path class="dim" d=${`M${xOf(pointed)} 0V${HEIGHT}`} />`}
    </svg>
  `;
}
