'use strict';
/** How long the event loop has been busy and idle since it began, on request: nothing is measured for it. */
const { performance } = require('node:perf_hooks');
const { onMessage, send } = require('../channel.cjs');

/** The program may replace it. */
const utilization = performance.eventLoopUtilization.bind(performance);

module.exports = { answerLoopTimes };

function answerLoopTimes() {
  onMessage('loop-times', () => {
    const { active, idle } = utilization();
    send('loop-times', { activeMs: active, idleMs: idle });
  });
}
