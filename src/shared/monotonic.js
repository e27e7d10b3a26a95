/** Times on the machine's monotonic clock, for other processes: `performance.now()` starts at 0 in each. */

/** When `performance.now()` was 0. hrtime is CLOCK_MONOTONIC, the same for all processes. */
const START_MS = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();

/** On the clock of the machine. @param {number} [ownMs] on that of `performance.now()` in this process */
export function machineMs(ownMs = performance.now()) {
  return Math.round(START_MS + ownMs);
}

/** A wall clock that differs by more was set, or the machine slept; by less, it is only inexact. */
const TOLERANCE_MS = 1500;
let epochStartMs = Date.now() - machineMs();

/** Epoch ms; the same for the same time, until the wall clock is set. @param {number} atMs on the clock of the machine */
export function epochMs(atMs) {
  const startMs = Date.now() - machineMs();
  if (Math.abs(startMs - epochStartMs) > TOLERANCE_MS) epochStartMs = startMs;
  return atMs + epochStartMs;
}

/** @returns {number} the time on the clock of the machine, not rounded: for leases */
export function clockMs() {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/**
 * Ms until the next moment at which everything in this process that is due that often is done, so that it wakes up once.
 * @param {number} everyMs
 */
export function untilMoment(everyMs) {
  const restMs = everyMs - (performance.now() % everyMs);
  // A timer may fire slightly early; the same moment must not come twice.
  return restMs < everyMs / 10 ? restMs + everyMs : restMs;
}
