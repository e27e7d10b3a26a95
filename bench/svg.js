/** The frame of the charts, which are readable on a light and on a dark page. */

export const WIDTH = 900;
const LIGHT = 'svg{background:#fff}text{fill:#24292f}.line{stroke:#24292f}';
const DARK = 'svg{background:#0d1117}text{fill:#e6edf3}.line{stroke:#e6edf3}';
const STYLE = `<style>text{font:12px sans-serif}.title{font-size:15px;font-weight:bold}.end{text-anchor:end}.line{stroke-width:2}.axis{stroke:#8c959f}${LIGHT}@media(prefers-color-scheme:dark){${DARK}}</style>`;

/** @param {string} title @param {number} height @param {string[]} parts @returns {string} an SVG file */
export function drawing(title, height, parts) {
  const size = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>`;
  return [head, STYLE, text(8, 22, title, 'title'), ...parts, '</svg>', ''].join('\n');
}

/** @param {number} x @param {number} y @param {string} words @param {'title' | 'end' | ''} [look] */
export function text(x, y, words, look = '') {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${round(x)}" y="${round(y)}" class="${look}">${escaped}</text>`;
}

/** @param {[number, number]} from @param {[number, number]} to @param {string} look */
export function line([x1, y1], [x2, y2], look) {
  const [from, to] = [`x1="${round(x1)}" y1="${round(y1)}"`, `x2="${round(x2)}" y2="${round(y2)}"`];
  return `<line ${from} ${to} ${look}/>`;
}

/** @param {number} pixels */
export function round(pixels) {
  return Math.round(pixels * 10) / 10;
}
