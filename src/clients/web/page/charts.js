/** The charts of an app or of one of its workers. */
import { useRef, useState } from 'preact/hooks';
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
import { escapeLine } from '../../../show/escape.js';
import { FIGURE } from './data/figures.js';
import { Chart } from './chart.js';
import { chartData, emptyText, marksOf, whenText } from './series.js';

/**
 * @import { Figures } from '../shapes.js'
 * @import { FigureName } from './data/figures.js'
 * @import { History } from './data/history.js'
 * @import { BareRow as Row } from '../../../show/rows.js'
 * @import { PageState } from './data/model.js'
 * @import { ChartProps, Line } from './chart.js'
 * @import { Mark } from './series.js'
 */

/**
 * @typedef {Pick<ChartProps, 'title' | 'format' | 'minHigh' | 'steps' | 'isStepped'> &
 *   {lines: (Line & {figure: FigureName})[], usual?: number, isOfRequests?: true}} ChartKind usual: it is not shown while the
 *   figure is always this; isOfRequests: without any there is nothing to see
 */

/** Powers of two, so that the axis says 64M and not 61M. */
const BYTES = Array.from({ length: 41 }, (_, power) => 2 ** power);
/** Of what comes in whole numbers. */
const WHOLE = [1, 10, 100, 1000, 10_000].flatMap((unit) => [unit, 2 * unit, 5 * unit]);
/** Of the charts with two lines. @type {Partial<Record<FigureName, string>>} */
const LABELS = {
  latencyP99: 'p99',
  latencyP50: 'p50',
  loopP99: 'p99',
  loopP50: 'p50',
  memory: 'RSS',
  heapUsed: 'heap',
};

const KINDS = [
  kind('requests/s', ['requests'], formatRate, 1, { isOfRequests: true }),
  kind('response time', ['latencyP99', 'latencyP50'], formatLatency, 1, { isOfRequests: true }),
  kind('5xx in the last minute', ['errors'], formatInteger, 4, { steps: WHOLE, usual: 0 }),
  kind('event loop busy', ['elu'], formatShare, 0.2),
  kind('event loop delay', ['loopP99', 'loopP50'], formatLatency, 10),
  kind('memory', ['memory', 'heapUsed'], formatMemory, 32 * 1024 ** 2, { steps: BYTES }),
  kind('cpu', ['cpu'], formatCpu, 20),
  kind('connections', ['connections'], formatInteger, 4, { steps: WHOLE }),
  kind('workers online', ['online'], formatInteger, 2, { steps: WHOLE, isStepped: true, usual: 1 }),
];

/**
 * @param {string} title
 * @param {FigureName[]} figures a line for each
 * @param {ChartKind['format']} format
 * @param {number} minHigh
 * @param {Partial<ChartKind>} [more]
 * @returns {ChartKind}
 */
function kind(title, figures, format, minHigh, more) {
  const first = figures[0] === 'errors' ? 'bad-dot' : 'accent';
  const lines = figures.map((figure, index) => ({
    figure,
    label: LABELS[figure] ?? '',
    colour: index === 0 ? first : 'dim',
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
export function Charts({ state: { at, events }, appHistory, row: { kind, key, app, worker } }) {
  const [range, setRange] = useState(RANGES[1][1]);
  const caption = useRef(/** @type {HTMLElement | null} */ (null));
  const one = kind === 'worker' ? worker : null;
  const figures = appHistory.of(key);
  const kinds = KINDS.filter(({ lines, usual }) =>
    lines.some(({ figure }) => isNews(figures, FIGURE[figure], usual)),
  );
  const from = at - range;
  const isWaiting = (one ? [one] : app.workers).some(({ requests }) => requests?.open);
  const { times } = appHistory;
  const [begunAt = from] = times;
  const marks = marksOf(events, app.name, at).filter((mark) => mark.to >= from && mark.from <= at);
  const onCursor = (/** @type {number | null} */ time) =>
    caption.current?.replaceChildren(cursorText(time, marks, range));
  return html`
    <section class="stack" aria-labelledby="charts-title">
      <div class="bar">
        <h2 id="charts-title">${escapeLine(key)}</h2>
        <${Ranges} range=${range} onChange=${setRange} />
        ${begunAt > from && html`<span class="dim">${unmeasuredText(begunAt)}</span>`}
        <span class="dim moment" ref=${caption} aria-hidden="true"></span>
      </div>
      ${kinds.length === 0 && html`<p class="card empty">No figures yet: workers are measured while they run.</p>`}
      <div class="charts">
        ${kinds.map(
          (kind) =>
            html`<${Chart}
              key=${`${kind.title} ${key}`}
              ...${kind}
              ...${shownIn(kind, times, figures, from, at, isWaiting)}
              ...${{ marks, from, to: at, onCursor }}
            />`,
        )}
      </div>
      <${Legend} marks=${marks} now=${at} />
    </section>
  `;
}

/** @param {ChartKind} kind @param {readonly number[]} times @param {readonly (Figures | null)[]} figures @param {number} from @param {number} to @param {boolean} isWaiting a request is open */
function shownIn({ lines, isOfRequests }, times, figures, from, to, isWaiting) {
  const read = (/** @type {FigureName[]} */ names) =>
    chartData(
      times,
      figures,
      names.map((name) => FIGURE[name]),
      from,
      to,
    );
  const data = read(lines.map(({ figure }) => figure));
  const counted = isOfRequests && { isWaiting, data: read(['requests']) };
  return { data, empty: emptyText(data, counted) };
}

/** @param {{range: number, onChange: (range: number) => void}} props */
function Ranges({ range, onChange }) {
  return html`
    <div class="bar" role="group" aria-label="Time that the charts show">
      ${RANGES.map(
        ([label, ms]) =>
          html`<button type="button" aria-pressed=${ms === range} onClick=${() => onChange(ms)}>
            ${label}
          </button>`,
      )}
    </div>
  `;
}

/** @param {number} begunAt epoch ms */
function unmeasuredText(begunAt) {
  return `No figures before ${formatClock(begunAt)}: workers measure only while they are watched.`;
}

/** What the marks mean: the latest ones in words. @param {{marks: Mark[], now: number}} props */
function Legend({ marks, now }) {
  if (marks.length === 0) return null;
  return html`
    <ul class="events marks" aria-label="Marks on the time line">
      ${marks
        .slice(-6)
        .reverse()
        .map(
          (mark) =>
            html`<li class=${mark.look}>
              <time class="dim">${whenText(mark, now)}</time> ${escapeLine(mark.text)}
            </li>`,
        )}
    </ul>
  `;
}

/** @param {readonly (Figures | null)[]} figures @param {number} place @param {number} [usual] */
function isNews(figures, place, usual) {
  return figures.some((each) => each !== null && ![null, usual].includes(each[place]));
}

/** @param {number | null} time @param {Mark[]} marks @param {number} range */
function cursorText(time, marks, range) {
  if (time === null) return '';
  const near = range / 100;
  const mark = marks.findLast(({ from, to }) => time >= from - near && time <= to + near);
  return `${formatClock(time)}${mark ? ` ${escapeLine(mark.text)}` : ''}`;
}
