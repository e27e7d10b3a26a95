'use strict';
/** The program may replace the globals. */
const { clearInterval, setInterval } = require('node:timers');

module.exports = { newProcessHold };

/** @returns {{hold: () => void, release: () => void}} keeps the process alive between the two */
function newProcessHold() {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  return {
    hold() {
      timer ??= setInterval(() => {}, 2 ** 30);
    },
    release() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
