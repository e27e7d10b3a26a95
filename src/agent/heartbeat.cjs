'use strict';
/** Reports to the primary at an interval that the event loop turns. */
const { send } = require('./channel.cjs');
const { atNextMoment } = require('./next-moment.cjs');

let hasStarted = false;

module.exports = { startHeartbeat };

/**
 * @param {{everyMs: number}} order
 * @param {() => Record<string, unknown>} facts to report with each
 */
function startHeartbeat({ everyMs }, facts) {
  if (hasStarted) return;
  hasStarted = true;
  const next = () => {
    send('beat', facts());
    atNextMoment(everyMs, next);
  };
  atNextMoment(everyMs, next);
}
