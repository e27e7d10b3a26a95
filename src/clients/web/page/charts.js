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
import { chartData, emptyText, marksOf } from './series.js';

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
 *   {lines: (Line & {figure: FigureName})[], usual?: number, counts?: keyof typeof WORDS}} ChartKind usual: it is not shown
 *   while the figure is always this; counts: without these there is nothing to see
 */

/** Powers of two, so that the axis says 64M and not 61M. */
const BYTES = Array.from({ length: 41 }, (_, power) => 2 ** power);
/** Of what comes in whole numbers. */
const WHOLE = [1, 10, 100, 1000, 10_000].flatMap((unit) => [unit, 2 * unit, 5 * unit]);

/** @type {ChartKind[]} */
const KINDS = [
  {
    title: 'requests/s',
    lines: one('requests'),
    format: formatRate,
    minHigh: 1,
    counts: 'requests',
  },
  {
    title: 'response time',
    lines: two(['p99', 'latencyP99'], ['p50', 'latencyP50']),
    format: formatLatency,
    minHigh: 1,
    counts: 'requests',
  },
  {
    title: '5xx/s',
    lines: one('errors', 'bad-dot'),
    format: formatRate,
    minHigh: 1,
    counts: 'errors',
  },
  { title: 'event loop busy', lines: one('elu'), format: formatShare, minHigh: 0.2 },
  {
    title: 'event loop delay',
    lines: two(['p99', 'loopP99'], ['p50', 'loopP50']),
    format: formatLatency,
    minHigh: 10,
  },
  {
    title: 'memory',
    lines: two(['RSS', 'memory'], ['heap', 'heapUsed']),
    format: formatMemory,
    minHigh: 32 * 1024 ** 2,
    steps: BYTES,
  },
  { title: 'cpu', lines: one('cpu'), format: formatCpu, minHigh: 20 },
  {
    title: 'connections',
    lines: one('connections'),
    format: formatInteger,
    minHigh: 4,
    steps: WHOLE,
  },
  {
    title: 'workers online',
    lines: one('online'),
    format: formatInteger,
    minHigh: 2,
    steps: WHOLE,
    isStepped: true,
    usual: 1,
  },
];

/** @param {FigureName} figure @param {string} [colour] @returns {ChartKind['lines']} */
function one(figure, colour = 'accent') {
  return [{ figure, label: '', colour }];
}

/** @param {[string, FigureName]} first @param {[string, FigureName]} second @returns {ChartKind['lines']} */
function two([label, figure], [otherLabel, other]) {
  return [
    { figure, label, colour: 'accent' },
    { figure: other, label: otherLabel, colour: 'dim' },
  ];
}

/** @type {[label: string, ms: number][]} */
const RANGES = [
  ['1 min', 60_000],
  ['5 min', 300_000],
  ['15 min', 900_000],
];
const WORDS = { requests: 'requests', errors: '5xx' };

/** @param {{state: PageState, appHistory: History, row: Row}} props row: whose charts are shown */
export function Charts({ state: { at, events }, appHistory, row: { kind, key, app, worker } }) {
  const [range, setRange] = useState(RANGES[1][1]);
  const caption = useRef(/** @type {HTMLElement | null} */ (null));
  const one = kind === 'worker' ? worker : null;
  const figures = one ? appHistory.ofWorker(one.id) : appHistory.ofApp(app.name);
  const kinds = KINDS.filter(({ lines, usual }) =>
    lines.some(({ figure }) => isNews(figures, FIGURE[figure], usual)),
  );
  const from = at - range;
  const { times } = appHistory;
  const [begunAt = at] = times;
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
              ...${shownIn(kind, times, figures, from, at)}
              ...${{ marks, from, to: at, onCursor }}
            />`,
        )}
      </div>
      <${Legend} marks=${marks} />
    </section>
  `;
}

/** @param {ChartKind} kind @param {readonly number[]} times @param {readonly (Figures | null)[]} figures @param {number} from @param {number} to */
function shownIn({ lines, counts }, times, figures, from, to) {
  const read = (/** @type {FigureName[]} */ names) =>
    chartData(
      times,
      figures,
      names.map((name) => FIGURE[name]),
      from,
      to,
    );
  const data = read(lines.map(({ figure }) => figure));
  const counted = counts && { what: WORDS[counts], data: read([counts]) };
  return { data, empty: emptyText(data, counted) };
}

/** @param {{range: number, onChange: (range: number) => void}} props */
function Ranges({ range, onChange }) {
  return html`
    <div class="choice" role="group" aria-label="Time that the charts show">
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
  return `No figures before ${formatClock(begunAt)}: workers measure only while a page is open.`;
}

/** What the marks mean: the latest ones in words. @param {{marks: Mark[]}} props */
function Legend({ marks }) {
  if (marks.length === 0) return null;
  return html`
    <ul class="events marks" aria-label="Marks on the time line">
      ${marks
        .slice(-6)
        .reverse()
        .map(
          ({ from, look, text }) =>
            html`<li class=${look}>
              <time class="dim">${formatClock(from)}</time> ${escapeLine(text)}
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
