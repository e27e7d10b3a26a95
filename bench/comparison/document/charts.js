/** Charts of a case as SVG: the medians as bars, the quartiles as lines. */
import { WIDTH, drawing, line, round, text } from '../../svg.js';

/**
 * @import { Spread } from '../../statistics.js'
 *
 * @typedef {{name: string, spread: Spread}} Bar
 * @typedef {{title: string, bars: Bar[]}} Panel
 */

const NAMES_WIDTH = 170;
const LABEL_WIDTH = 70;
const ROW_HEIGHT = 22;
const BAR_HEIGHT = 12;
const PANEL_HEAD = 34;
const TITLE_HEIGHT = 58;
const PANELS_IN_A_ROW = 2;
const OURS = '#2f81f7';
const PEER = '#a8b1bb';

/**
 * @param {{title: string, figure: string, panels: Panel[], unity: boolean}} chart figure: what the bars show, on
 *   a line of its own; unity: a line where a ratio is 1
 */
export function drawChart({ title, figure, panels, unity }) {
  const all = panels.flatMap(({ bars }) => bars);
  const names = [...new Set(all.map(({ name }) => name))];
  const inARow = Math.min(PANELS_IN_A_ROW, panels.length);
  const rowsHeight = names.length * ROW_HEIGHT;
  const width = (WIDTH - NAMES_WIDTH) / inARow;
  const parts = panels.flatMap(({ title: name, bars }, index) => {
    const left = NAMES_WIDTH + (index % inARow) * width;
    const top = TITLE_HEIGHT + Math.floor(index / inARow) * (PANEL_HEAD + rowsHeight) + PANEL_HEAD;
    const most = Math.max(...(unity ? all : bars).map(({ spread }) => spread.high)) || 1;
    const xOf = (/** @type {number} */ value) => left + (value / most) * (width - LABEL_WIDTH);
    const yOf = (/** @type {string} */ of) => top + (names.indexOf(of) + 0.5) * ROW_HEIGHT;
    const vertical = (/** @type {number} */ x, /** @type {string} */ look) =>
      line([x, top], [x, top + rowsHeight], `class="axis" ${look}`);
    return [
      text(left, top - 10, name),
      ...(index % inARow === 0 ? names.map((of) => text(left - 8, yOf(of) + 4, of, 'end')) : []),
      vertical(left, ''),
      ...(unity ? [vertical(xOf(1), 'stroke-dasharray="4"')] : []),
      ...bars.flatMap((bar) => drawBar(bar, yOf(bar.name), xOf)),
    ];
  });
  const height = TITLE_HEIGHT + Math.ceil(panels.length / inARow) * (PANEL_HEAD + rowsHeight) + 10;
  return drawing(title, height, [text(8, 42, figure), ...parts]);
}

/** @param {Bar} bar @param {number} y @param {(value: number) => number} xOf */
function drawBar({ name, spread: { low, high, median } }, y, xOf) {
  const [begin, end] = [xOf(0), xOf(median)];
  const colour = name.startsWith('nodecluster') ? OURS : PEER;
  const size = `width="${round(end - begin)}" height="${BAR_HEIGHT}"`;
  return [
    `<rect x="${round(begin)}" y="${y - BAR_HEIGHT / 2}" ${size} fill="${colour}"/>`,
    line([xOf(low), y], [xOf(high), y], 'class="line"'),
    text(Math.max(xOf(high), end) + 6, y + 4, shortNumber(median)),
  ];
}

/** @param {number} value @returns {string} three digits, or all of a large number */
function shortNumber(value) {
  return value >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
