/** The cells of a terminal as a picture. */

const cellWidth = 8.4;
const lineHeight = 18;
const margin = 16;
const background = '#1b1f27';
const foreground = '#d5d9e0';
/** By the codes of ANSI colours. @type {Record<number, string>} */
const colours = {
  30: '#3b4252',
  31: '#ff6b6b',
  32: '#7ddc7d',
  33: '#f2c94c',
  34: '#6cb6ff',
  35: '#d2a8ff',
  36: '#56c8d8',
  37: '#d5d9e0',
  90: '#7d8590',
};

/**
 * @typedef {object} Style
 * @property {boolean} bold
 * @property {boolean} dim
 * @property {boolean} inverse
 * @property {string | null} colour
 *
 * @typedef {{text: string, column: number, style: Style}} Run text that looks the same
 */

/** @type {Style} */
const plain = { bold: false, dim: false, inverse: false, colour: null };

/**
 * @param {string} screen lines with their colours; every character takes one column
 * @param {number} columns
 * @returns {string} an SVG
 */
export function screenToSvg(screen, columns) {
  let style = plain;
  const lines = screen.split('\n').map((line) => {
    const { runs, end } = runsOf(line, style);
    style = end;
    return runs;
  });
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${foreground}">`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    ...lines.flatMap((runs, row) => runs.flatMap((run) => drawRun(run, row))),
    '</svg>\n',
  ].join('\n');
}

/**
 * @param {string} line
 * @param {Style} start
 */
function runsOf(line, start) {
  let style = start;
  let column = 0;
  /** @type {Run[]} */
  const runs = [];
  // eslint-disable-next-line no-control-regex -- the sequences that colours are made of
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith('\u001b')) {
      for (const code of part.slice(2, -1).split(';')) style = styleAfter(style, Number(code));
    } else if (part) {
      runs.push({ text: part, column, style });
      column += [...part].length;
    }
  }
  return { runs, end: style };
}

/**
 * @param {Style} style
 * @param {number} code
 * @returns {Style}
 */
function styleAfter(style, code) {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 7) return { ...style, inverse: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 27) return { ...style, inverse: false };
  if (code === 39) return { ...style, colour: null };
  return code in colours ? { ...style, colour: colours[code] } : style;
}

/**
 * @param {Run} run
 * @param {number} row
 * @returns {string[]}
 */
function drawRun({ text, column, style }, row) {
  const { bold, dim, inverse, colour } = style;
  const x = (margin + column * cellWidth).toFixed(1);
  const y = margin + row * lineHeight;
  const width = ([...text].length * cellWidth).toFixed(1);
  const box = inverse
    ? [`<rect x="${x}" y="${y}" width="${width}" height="${lineHeight}" fill="${foreground}"/>`]
    : [];
  if (text.trim() === '') return box;
  const fill = inverse ? background : colour;
  const attributes = [
    `x="${x}" y="${y + 13}" textLength="${width}" xml:space="preserve"`,
    ...(fill ? [`fill="${fill}"`] : []),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.6"'] : []),
  ];
  return [...box, `<text ${attributes.join(' ')}>${escaped(text)}</text>`];
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
