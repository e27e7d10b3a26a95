/** Charts of a case as SVG: the medians as bars, the quartiles as lines. */
import { init } from 'echarts';

/**
 * @import { Spread } from '../statistics.js'
 *
 * @typedef {{name: string, spread: Spread}} Bar
 * @typedef {{title: string, bars: Bar[]}} Panel
 */

const WIDTH = 900;
const NAMES_WIDTH = 170;
const BAR_HEIGHT = 22;
const PANEL_HEAD = 34;
const TITLE_HEIGHT = 58;
const PANELS_IN_A_ROW = 2;

const INK = '#24292f';
const FAINT = '#8c959f';
const OURS = '#2f81f7';
const PEER = '#a8b1bb';
/** Each colour on a dark page; the others are readable on both. */
const DARK = { [INK]: '#e6edf3', '#ffffff': '#0d1117' };

/**
 * @param {{title: string, figure: string, panels: Panel[], unity: boolean}} chart figure: what the bars show, on
 *   a line of its own; unity: a line where a ratio is 1
 * @returns {string} an SVG file
 */
export function drawChart({ title, figure, panels, unity }) {
  const names = [...new Set(panels.flatMap(({ bars }) => bars.map(({ name }) => name)))].reverse();
  const inARow = Math.min(PANELS_IN_A_ROW, panels.length);
  const rows = Math.ceil(panels.length / inARow);
  const panelHeight = PANEL_HEAD + names.length * BAR_HEIGHT;
  const height = TITLE_HEIGHT + rows * panelHeight + 10;
  const panelWidth = (WIDTH - NAMES_WIDTH) / inARow;
  const boxes = panels.map((_, index) => ({
    left: NAMES_WIDTH + (index % inARow) * panelWidth,
    top: TITLE_HEIGHT + Math.floor(index / inARow) * panelHeight + PANEL_HEAD,
    width: panelWidth - 70,
    height: names.length * BAR_HEIGHT - 8,
    showsNames: index % inARow === 0,
  }));
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: titlesOf({ title, figure }, panels, boxes),
    grid: boxes.map(({ left, top, width, height: inner }) => ({ left, top, width, height: inner })),
    xAxis: panels.map(({ bars }, gridIndex) => {
      const max = Math.max(...(unity ? panels.flatMap((panel) => panel.bars) : bars).map(endOf));
      return { gridIndex, type: 'value', min: 0, max, show: false };
    }),
    yAxis: boxes.map((box, gridIndex) => namesAxis(names, gridIndex, box.showsNames)),
    series: panels.flatMap((panel, index) => seriesOf(panel, names, index, unity)),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return withDarkColours(svg);
}

/** @param {Bar} bar */
function endOf({ spread }) {
  return spread.high;
}

/**
 * @param {{title: string, figure: string}} head
 * @param {Panel[]} panels
 * @param {{left: number, top: number}[]} boxes
 */
function titlesOf({ title, figure }, panels, boxes) {
  const font = { fontFamily: 'sans-serif', color: INK };
  return [
    { text: title, left: 8, top: 8, textStyle: { ...font, fontSize: 15, fontWeight: 'bold' } },
    { text: figure, left: 8, top: 30, textStyle: { ...font, fontSize: 12, fontWeight: 'normal' } },
    ...panels.map((panel, index) => ({
      text: panel.title,
      left: boxes[index].left - 5,
      top: boxes[index].top - PANEL_HEAD + 10,
      textStyle: { ...font, fontSize: 12, fontWeight: 'normal' },
    })),
  ];
}

/** @param {string[]} names @param {number} gridIndex @param {boolean} isShown */
function namesAxis(names, gridIndex, isShown) {
  return {
    gridIndex,
    type: 'category',
    data: names,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: FAINT } },
    axisLabel: { show: isShown, color: INK, fontSize: 12, fontFamily: 'sans-serif' },
  };
}

/** @param {Panel} panel @param {string[]} names @param {number} index @param {boolean} unity */
function seriesOf({ bars }, names, index, unity) {
  const ofName = new Map(bars.map((bar) => [bar.name, bar.spread]));
  const at = { xAxisIndex: index, yAxisIndex: index };
  const data = names.map((name) => ({
    value: ofName.get(name)?.median ?? '-',
    itemStyle: { color: name.startsWith('nodecluster') ? OURS : PEER },
  }));
  const one = { silent: true, symbol: 'none', label: { show: false }, data: [{ xAxis: 1 }] };
  const markLine = { ...one, lineStyle: { color: FAINT, type: 'dashed' } };
  return [
    { type: 'bar', ...at, data, barWidth: 12, ...(unity ? { markLine } : {}) },
    {
      type: 'custom',
      ...at,
      data: bars.map(({ name, spread: { low, high, median } }) => [
        ...[low, names.indexOf(name), high, median],
      ]),
      encode: { x: [0, 2], y: 1 },
      renderItem: drawQuartiles,
    },
  ];
}

/** A line from quartile to quartile, and the median after it. @param {unknown} _params @param {any} api of ECharts */
function drawQuartiles(_params, api) {
  const [x1, y] = api.coord([api.value(0), api.value(1)]);
  const [x2] = api.coord([api.value(2), api.value(1)]);
  const [end] = api.coord([api.value(3), api.value(1)]);
  const text = shortNumber(api.value(3));
  const place = { x: Math.max(x2, end) + 6, y, verticalAlign: 'middle' };
  return {
    type: 'group',
    children: [
      { type: 'line', shape: { x1, y1: y, x2, y2: y }, style: { stroke: INK, lineWidth: 2 } },
      { type: 'text', style: { ...place, text, fill: INK, fontSize: 11 } },
    ],
  };
}

/** @param {number} value @returns {string} three digits, or all of a large number */
function shortNumber(value) {
  return value >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}

/** @param {string} svg */
function withDarkColours(svg) {
  const rules = Object.entries(DARK).flatMap(([light, dark]) => [
    `[fill="${light}"]{fill:${dark}}`,
    `[stroke="${light}"]{stroke:${dark}}`,
  ]);
  const style = `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`;
  return `${svg.replace(/<svg[^>]*>/, (head) => `${head}${style}`)}\n`;
}
