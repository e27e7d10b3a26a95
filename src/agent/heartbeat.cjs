'use strict';
/** Reports to the primary at an interval that the event loop turns. */
const { send } = require('./channel.cjs');
/** The program may replace the global. */
const { setTimeout } = require('node:timers');

let hasStarted = false;

module.exports = { startHeartbeat };

/**
 * All workers of a primary send theirs at the same moment of the common monotonic clock, so that
 * the primary wakes up once for all of them, which costs a third as much.
 * @param {{everyMs: number}} order
 * @param {() => Record<string, unknown>} facts to report with each
 */
function startHeartbeat({ everyMs }, facts) {
  if (hasStarted) return;
  hasStarted = true;
  const { ppid } = process;
  const wait = () => {
    const nowMs = Number(process.hrtime.bigint() / 1_000_000n);
    const restMs = everyMs - ((nowMs + ppid) % everyMs);
    // A timer may fire slightly early; the same heartbeat must not be sent twice.
    setTimeout(next, restMs < everyMs / 10 ? restMs + everyMs : restMs).unref();
  };
  const next = () => {
    send('beat', facts());
    wait();
  };
  wait();
}
