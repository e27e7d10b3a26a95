/** Latencies as the number of requests up to each bound. Changing the bounds changes the protocol version. */

/** In milliseconds; six to a decade, so that a value between two of them is off by a quarter at most. */
export const LATENCY_BOUNDS_MS = Object.freeze([
  0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300,
  500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10_000, 15_000, 20_000, 30_000, 60_000,
]);

/**
 * Milliseconds, interpolated within a bound, at most the last bound; null if nothing was counted.
 * @param {readonly number[]} counts one per bound, and a last one for everything above
 * @param {number} quantile from 0 to 1
 */
export function latencyQuantile(counts, quantile) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = quantile * total;
  let below = 0;
  for (const [index, upper] of LATENCY_BOUNDS_MS.entries()) {
    const count = counts[index];
    if (count > 0 && below + count >= rank) {
      const lower = index === 0 ? 0 : LATENCY_BOUNDS_MS[index - 1];
      return lower + ((upper - lower) * (rank - below)) / count;
    }
    below += count;
  }
  return LATENCY_BOUNDS_MS[LATENCY_BOUNDS_MS.length - 1];
}
