/** Long lines, broken between words where the terminal would break them within. */

// eslint-disable-next-line no-control-regex -- colours take no room
const colour = /\u001b\[[0-9;:]*m/g;
/** So much is left for words even where the indentation of a line takes nearly all of the width. */
const fewest = 20;

/**
 * @param {string} text
 * @param {number | null} width of the terminal; null: nothing is broken
 * @returns {string} a line that goes on is indented as it began
 */
export function wrapText(text, width) {
  if (width === null) return text;
  return text
    .split('\n')
    .map((line) => (lengthOf(line) <= width ? line : wrapLine(line, width)))
    .join('\n');
}

/**
 * @param {string} line
 * @param {number} width
 */
function wrapLine(line, width) {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const most = Math.max(fewest, width - indent.length);
  const lines = [''];
  for (const word of line.trim().split(/(?<=\S)(?= )/)) {
    const last = lines.length - 1;
    if (lines[last] === '' || lengthOf(lines[last] + word) <= most) lines[last] += word;
    else lines.push(word.trimStart());
  }
  return lines.map((part) => indent + part).join('\n');
}

/** @param {string} text */
function lengthOf(text) {
  return text.replace(colour, '').length;
}
