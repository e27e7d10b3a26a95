'use strict';
/**
 * The delay of the event loop: how late a timer fires that is due at an interval. The histogram of
 * perf_hooks measures the same, but starts over with every reading and then forgets the delay in
 * progress, which is the one that matters.
 */
const { performance } = require('node:perf_hooks');
/** The program may replace the globals. */
const { clearInterval, setInterval } = require('node:timers');
const { Buckets } = require('./buckets.cjs');

const now = performance.now.bind(performance);

/** Costs an idle worker 0.2 % of a core; 20 ms would cost 0.7 %. */
const INTERVAL_MS = 100;

class LoopDelay {
  maxMs = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {readonly number[]} boundsMs */
  constructor(boundsMs) {
    this.delays = new Buckets(boundsMs);
  }

  start() {
    let lastMs = now();
    this.#timer = setInterval(() => {
      const atMs = now();
      const delayMs = Math.max(0, atMs - lastMs - INTERVAL_MS);
      lastMs = atMs;
      this.delays.add(delayMs);
      if (delayMs > this.maxMs) this.maxMs = delayMs;
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** @returns {number} the longest since the last call */
  takeMax() {
    const { maxMs } = this;
    this.maxMs = 0;
    return maxMs;
  }
}

module.exports = { LoopDelay };
