/** Renders past values as a row of small bars. */

const blocks = '▁▂▃▄▅▆▇█';
const ascii = '_.-~=+*#';

/**
 * @param {readonly (number | null)[]} values the newest last; null: not known
 * @param {number} width of the result; older values are left out
 * @param {{low: number, high: number}} scale
 * @param {boolean} supportsUnicode whether the terminal shows more than ASCII
 * @returns {string}
 */
export function sparkline(values, width, { low, high }, supportsUnicode) {
  const levels = supportsUnicode ? blocks : ascii;
  const span = Math.max(high - low, Number.EPSILON);
  const shown = values.slice(-width).map((value) => {
    if (value === null) return ' ';
    const level = Math.round(((value - low) / span) * (levels.length - 1));
    return levels[Math.min(Math.max(level, 0), levels.length - 1)];
  });
  return shown.join('').padStart(width);
}
