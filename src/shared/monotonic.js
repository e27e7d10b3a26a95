/**
 * Moments on the machine's monotonic clock, for other processes. `performance.now()` counts from
 * the start of its own process, and the wall clock can be set while somebody counts with it.
 */

/** When this process had `performance.now()` at 0. hrtime is CLOCK_MONOTONIC, the same for all. */
const ORIGIN_MS = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();

/**
 * @param {number} [ownMs] of this process's `performance.now()`
 * @returns {number} milliseconds; the same moment in every process of this machine
 */
export function machineMs(ownMs = performance.now()) {
  return Math.round(ORIGIN_MS + ownMs);
}
