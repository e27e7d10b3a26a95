/**
 * How long a worker has to acknowledge a connection: as TCP computes the time after which it sends
 * again (RFC 6298, section 2), from the times that the worker took before.
 */

/**
 * @typedef {object} AckTimes how long a worker took to acknowledge
 * @property {number} meanMs smoothed
 * @property {number} deviationMs from the mean, smoothed
 */

/** Less would take connections back during each collection of garbage. */
const MIN_MS = 3;
/** Short for a client, and long enough that a loaded worker is rarely meant. */
const MAX_MS = 50;

/**
 * @param {AckTimes | null} times null: it has acknowledged nothing yet
 * @returns {number} milliseconds
 */
export function leaseTime(times) {
  if (times === null) return MAX_MS;
  return Math.min(MAX_MS, Math.max(MIN_MS, times.meanMs + 4 * times.deviationMs));
}

/**
 * @param {AckTimes | null} times
 * @param {number} tookMs counts as the longest lease if it was more, so that a worker which was blocked
 *   for a minute is soon trusted again
 * @returns {AckTimes}
 */
export function withAckTime(times, tookMs) {
  const ms = Math.min(tookMs, MAX_MS);
  if (times === null) return { meanMs: ms, deviationMs: ms / 2 };
  return {
    meanMs: times.meanMs + (ms - times.meanMs) / 8,
    deviationMs: times.deviationMs + (Math.abs(ms - times.meanMs) - times.deviationMs) / 4,
  };
}
