'use strict';
/**
 * All workers of a primary send what they report at an interval at the same moments of the common
 * monotonic clock, so that the primary wakes up once for all of them, which costs a third as much.
 */
/** The program may replace the global. */
const { setTimeout } = require('node:timers');

module.exports = { atNextMoment };

/** @param {number} everyMs @param {() => void} callback which does not keep the process alive */
function atNextMoment(everyMs, callback) {
  const nowMs = Number(process.hrtime.bigint() / 1_000_000n);
  const restMs = everyMs - ((nowMs + process.ppid) % everyMs);
  // A timer may fire slightly early; the same moment must not come twice.
  setTimeout(callback, restMs < everyMs / 10 ? restMs + everyMs : restMs).unref();
}
