/** Memory and descriptors of a soak over time, as SVG. */
import { init } from 'echarts';

/** @import { Sample, Size } from './samples.js' */

const WIDTH = 900;
const HEIGHT = 520;
const PANEL_HEIGHT = 170;
const TOPS = [70, 310];
const COLOURS = { daemon: '#8250df', primary: '#2f81f7' };
const font = { fontFamily: 'sans-serif', fontSize: 12, color: '#57606a' };

/** @type {{title: string, of: (size: Size) => number}[]} */
const PANELS = [
  { title: 'Private memory, MB', of: ({ privateMb }) => privateMb },
  { title: 'Descriptors', of: ({ descriptors }) => descriptors },
];

/** @param {string} title @param {Sample[]} samples @returns {string} an SVG file */
export function drawSamples(title, samples) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: [
      { text: title, left: 8, top: 8, textStyle: { ...font, fontSize: 15 } },
      ...PANELS.map((panel, index) => ({
        ...{ text: panel.title, left: 8, top: TOPS[index] - 30 },
        textStyle: { ...font, fontWeight: 'normal' },
      })),
    ],
    legend: { right: 20, top: 8, data: Object.keys(COLOURS), textStyle: font },
    grid: TOPS.map((top) => ({ left: 50, right: 20, top, height: PANEL_HEIGHT })),
    xAxis: TOPS.map((_, gridIndex) => ({
      ...{ gridIndex, type: 'value', max: minutesOf(samples[samples.length - 1]), axisLabel: font },
      ...{ name: 'minutes', nameLocation: 'middle', nameGap: 24, nameTextStyle: font },
    })),
    yAxis: TOPS.map((_, gridIndex) => ({ gridIndex, type: 'value', min: 0, axisLabel: font })),
    series: PANELS.flatMap(({ of }, index) => linesOf(samples, of, index)),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

/** @param {Sample[]} samples @param {(size: Size) => number} of @param {number} index */
function linesOf(samples, of, index) {
  return /** @type {const} */ (['daemon', 'primary']).map((name) => ({
    ...{ type: 'line', name, xAxisIndex: index, yAxisIndex: index, showSymbol: false },
    ...{ color: COLOURS[name], lineStyle: { width: 1.5 } },
    data: samples.map((sample) => [minutesOf(sample), of(sample[name])]),
  }));
}

/** @param {Sample} sample */
function minutesOf({ atS }) {
  return Math.round(atS / 6) / 10;
}
