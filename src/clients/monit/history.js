/** The last values of every row, for its bars. */

/** @import { Row } from '../../show/rows.js' */

/** One sample per second; the bars show fewer. */
const MAX_SAMPLES = 60;

/**
 * @typedef {{cpu: (number | null)[], memory: (number | null)[]}} Samples
 * @typedef {ReadonlyMap<string, Samples>} History by the key of a row
 */

/**
 * @param {History} history
 * @param {Row[]} rows of a new frame
 * @returns {History} only of these rows
 */
export function remember(history, rows) {
  return new Map(
    rows.map(({ key, figures }) => {
      const { cpu = [], memory = [] } = history.get(key) ?? {};
      return [
        key,
        {
          cpu: [...cpu, figures.cpu].slice(-MAX_SAMPLES),
          memory: [...memory, figures.memory].slice(-MAX_SAMPLES),
        },
      ];
    }),
  );
}
