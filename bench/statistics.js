/** Medians, quartiles and ratios. */

/** @import { Row } from './comparison/types.js' */

/** @typedef {{median: number, low: number, high: number, rounds: number}} Spread low, high: quartiles */

/** @param {number[]} values @returns {Spread | null} null: there are none */
export function spreadOf(values) {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return null;
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(finite, share));
  return { median, low, high, rounds: finite.length };
}

/**
 * Each round is compared with the same round of the other candidate, since what else the machine does
 * changes from round to round.
 * @param {Row[]} rows of one candidate, case, variant and Node
 * @param {Row[]} base the same of the candidate to compare with
 * @param {string} figure
 * @returns {Spread | null}
 */
export function ratioOf(rows, base, figure) {
  const baseOf = new Map(base.map(({ round, figures }) => [round, figures?.[figure]]));
  return spreadOf(
    rows.map(({ round, figures }) => (figures?.[figure] ?? NaN) / (baseOf.get(round) ?? NaN)),
  );
}

/** @param {number[]} values @param {number} share @returns {number} interpolated between two values; NaN: there are none */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at - Math.floor(at));
}
