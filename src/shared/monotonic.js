/**
 * Times on the machine's monotonic clock, for other processes. `performance.now()` starts at 0 in
 * each process, and the wall clock can be set at any time.
 */

/** When `performance.now()` was 0. hrtime is CLOCK_MONOTONIC, the same for all processes. */
const START_MS = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();

/**
 * @param {number} [ownMs] on the clock of `performance.now()` in this process
 * @returns {number} the same time on the clock of the machine
 */
export function machineMs(ownMs = performance.now()) {
  return Math.round(START_MS + ownMs);
}

/** @returns {number} the time on the clock of the machine, not rounded: for leases */
export function clockMs() {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
