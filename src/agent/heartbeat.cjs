'use strict';
/** Reports to the primary at an interval that the event loop turns, and the moments for all such reports. */
/** The program may replace the globals. */
const { setTimeout } = require('node:timers');
const { send } = require('./channel.cjs');

module.exports = { startHeartbeat, atNextMoment };

/** @param {number} everyMs @param {() => Record<string, unknown>} facts to report with each */
function startHeartbeat(everyMs, facts) {
  const next = () => {
    send('beat', facts());
    atNextMoment(everyMs, next);
  };
  atNextMoment(everyMs, next);
}

/**
 * All workers of a primary send what they report at an interval at the same moments of the common
 * monotonic clock, so that the primary wakes up once for all of them, which costs a third as much.
 * @param {number} everyMs
 * @param {() => void} callback which does not keep the process alive
 */
function atNextMoment(everyMs, callback) {
  const nowMs = Number(process.hrtime.bigint() / 1_000_000n);
  const restMs = everyMs - ((nowMs + process.ppid) % everyMs);
  // A timer may fire slightly early; the same moment must not come twice.
  setTimeout(callback, restMs < everyMs / 10 ? restMs + everyMs : restMs).unref();
}
