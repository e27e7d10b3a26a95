/** One chart over time. uPlot draws it; this file is the only one that knows uPlot. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { html } from './html.js';
import { formatClock } from '../../../show/quantity.js';
import { textAt } from './series.js';

/**
 * @import { AlignedData, Axis, Options, Series } from 'uplot'
 * @import { Mark } from './series.js'
 *
 * @typedef {{label: string, colour: string}} Line label: '' if the title says it; colour: name of a custom property
 *
 * @typedef {object} ChartProps
 * @property {string} title
 * @property {Line[]} lines
 * @property {AlignedData} data
 * @property {Mark[]} marks
 * @property {number} from epoch ms
 * @property {number} to epoch ms
 * @property {number} minHigh what the vertical axis shows at least
 * @property {(value: number | null | undefined) => string} format
 * @property {number[]} [steps] of the vertical axis; the least first
 * @property {boolean} [isStepped] it changes at once
 */

/** Colours by the names of custom properties. @typedef {Record<string, string>} Palette */

const COLOURS = ['dim', 'line', 'accent', 'bad-dot', 'warn-dot', 'good-dot'];
const HEIGHT = 132;
const FONT = '11px system-ui, sans-serif';

/** @param {ChartProps} props */
export function Chart(props) {
  const { title, lines, data, format } = props;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const latest = useRef(props);
  const chart = useRef(/** @type {uPlot | null} */ (null));
  latest.current = props;
  useEffect(() => keepChart(box.current, chart, latest), []);
  useEffect(() => {
    chart.current?.setData(data);
  });
  const last = data.slice(1).map((row) => format(row.at(-1) ?? null));
  const isEmpty = data.slice(1).every((row) => [...row].every((value) => value === null));
  const summary = lines.map(({ label }, index) => `${label} ${last[index]}`).join(', ');
  return html`
    <figure class="card chart">
      <div ref=${box} role="img" aria-label=${`${title}: ${summary}`}></div>
      ${isEmpty && html`<p class="none">nothing in this time</p>`}
    </figure>
  `;
}

/** @param {HTMLElement | null} box @param {{current: uPlot | null}} chart @param {{current: ChartProps}} latest @returns {() => void} removes it */
function keepChart(box, chart, latest) {
  if (box === null) return () => {};
  const draw = () => {
    chart.current?.destroy();
    chart.current = new uPlot(optionsOf(box, latest), latest.current.data, box);
  };
  const media = matchMedia('(prefers-color-scheme: dark)');
  const size = new ResizeObserver(() => {
    const width = box.clientWidth;
    if (chart.current?.width !== width) chart.current?.setSize({ width, height: HEIGHT });
  });
  draw();
  size.observe(box);
  media.addEventListener('change', draw);
  return () => {
    size.disconnect();
    media.removeEventListener('change', draw);
    chart.current?.destroy();
  };
}

/** @param {HTMLElement} box @param {{current: ChartProps}} latest @returns {Options} */
function optionsOf(box, latest) {
  const { title, lines } = latest.current;
  /** @type {Palette} */
  const palette = Object.fromEntries(COLOURS.map((name) => [name, colourOf(`--${name}`)]));
  return {
    title,
    width: Math.max(100, box.clientWidth),
    height: HEIGHT,
    padding: [8, 18, 0, 0],
    // The colour of the texts follows the scheme by itself.
    legend: {
      markers: { show: false, stroke: (_, line) => `var(--${lines[line - 1].colour})` },
    },
    cursor: { y: false, sync: { key: 'app' }, drag: { x: false, y: false }, points: { size: 5 } },
    scales: {
      x: { range: () => [latest.current.from / 1000, latest.current.to / 1000] },
      y: { range: (_chart, _min, max) => [0, Math.max(max ?? 0, latest.current.minHigh) * 1.08] },
    },
    axes: axesOf(latest.current, palette),
    series: [{}, ...lines.map((line) => seriesOf(line, palette, latest.current))],
    hooks: {
      drawClear: [(chart) => drawMarks(chart, latest.current.marks, palette)],
      setCursor: [
        (chart) => {
          const { marks, from, to } = latest.current;
          const at = chart.posToVal(chart.cursor.left ?? 0, 'x') * 1000;
          // The marks are on a canvas: the title of what is above it says what the one at the pointer is.
          chart.over.title = textAt(marks, at, (to - from) / 100);
        },
      ],
    },
  };
}

/** @param {Line} line @param {Palette} palette @param {ChartProps} props @returns {Series} */
function seriesOf({ label, colour }, palette, { format, isStepped }) {
  return {
    // Without a label, uPlot would write 'Value'.
    label: label || ' ',
    stroke: palette[colour],
    width: 1.5,
    points: { show: false },
    paths: isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined,
    // Below the cursor, or else the latest.
    value: ({ data }, value, line, index) => format(index === null ? data[line].at(-1) : value),
  };
}

/** For a canvas. @param {string} name of a custom property @returns {string} the colour that it has now */
function colourOf(name) {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** @param {ChartProps} props @param {Palette} palette @returns {Axis[]} */
function axesOf({ format, steps }, { dim, line }) {
  const axis = {
    stroke: dim,
    font: FONT,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...axis,
      size: 22,
      // As wide as the texts: whole minutes have no seconds.
      space: (_chart, _axis, min, max) => (max - min > 90 ? 40 : 62),
      values: (_chart, ticks, _axis, _space, step) =>
        ticks.map((tick) => formatClock(tick * 1000).slice(0, step < 60 ? undefined : 5)),
    },
    {
      ...axis,
      size: 50,
      space: 28,
      ...(steps && { incrs: steps }),
      values: (_chart, ticks) => ticks.map((tick) => (tick === 0 ? '0' : format(tick))),
    },
  ];
}

/** @type {Record<string, string>} */
const colourOfLook = { band: 'accent', bad: 'bad-dot', warn: 'warn-dot', good: 'good-dot' };
/** Of a strip, in pixels. */
const STRIP = 4;

/**
 * Behind the curves: a line for what happened, a strip on the axis for what lasted, which may be as wide as the chart.
 * @param {uPlot} chart @param {Mark[]} marks @param {Palette} palette
 */
function drawMarks(chart, marks, palette) {
  const { ctx, bbox } = chart;
  const { left, top, width, height } = bbox;
  const place = (/** @type {number} */ at) => chart.valToPos(at / 1000, 'x', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  // Many crashes in a row must not hide the curves.
  ctx.globalAlpha = 0.6;
  for (const { from, to, look } of marks) {
    const start = place(from);
    const strip = STRIP * devicePixelRatio;
    ctx.fillStyle = palette[colourOfLook[look] ?? 'dim'];
    if (to > from) ctx.fillRect(start, top + height - strip, place(to) - start, strip);
    ctx.fillRect(start, top, Math.max(1, devicePixelRatio), height);
  }
  ctx.restore();
}
