/** The small curve beside a figure: the last minute. Pure. */

export const SPARK_WIDTH = 60;
export const SPARK_HEIGHT = 16;

/**
 * @param {readonly (number | null)[]} values the newest last, one for each second; null: not known
 * @param {{low: number, high: number}} scale
 * @returns {{line: string, area: string}} paths of SVG, SPARK_WIDTH × SPARK_HEIGHT
 */
export function sparkPaths(values, { low, high }) {
  const span = Math.max(high - low, Number.EPSILON);
  const first = SPARK_WIDTH - values.length;
  let line = '';
  let area = '';
  let start = -1;
  let end = -1;
  const close = () => {
    if (start >= 0) area += `L${end} ${SPARK_HEIGHT}H${start}Z`;
    start = -1;
  };
  for (const [index, value] of values.entries()) {
    if (value === null) {
      close();
      continue;
    }
    const share = Math.min(Math.max((value - low) / span, 0), 1);
    const point = `${first + index} ${((1 - share) * SPARK_HEIGHT).toFixed(1)}`;
    const step = `${start < 0 ? 'M' : 'L'}${point}`;
    line += step;
    area += step;
    if (start < 0) start = first + index;
    end = first + index;
  }
  close();
  return { line, area };
}
