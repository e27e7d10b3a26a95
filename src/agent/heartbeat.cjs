'use strict';
/** Tells the primary every now and then that the event loop turns. */
const timers = require('node:timers');
const { send } = require('./channel.cjs');

/** Kept from before the program can put others in their place. */
const { setInterval } = timers;
let isBeating = false;

module.exports = { beat };

/** @param {{everyMs: number}} order */
function beat({ everyMs }) {
  if (isBeating) return;
  isBeating = true;
  setInterval(() => send('beat'), everyMs).unref();
}
