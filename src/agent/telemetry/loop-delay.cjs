'use strict';
/**
 * How late the event loop comes to what is due: a timer is looked at that should fire at even
 * intervals. The histogram of perf_hooks does the same, but begins anew with every reading and
 * then forgets the delay that is just going on, which is the one that matters.
 */
const { performance } = require('node:perf_hooks');
const timers = require('node:timers');
const { Buckets } = require('./buckets.cjs');

/** Kept from before the program can put others in their place. */
const { setInterval, clearInterval } = timers;
const now = performance.now.bind(performance);

/** In milliseconds. An idle worker that is watched takes 0.2 % of a core for it, with 20 ms 0.7 %. */
const EVERY_MS = 100;

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
      const delayMs = Math.max(0, atMs - lastMs - EVERY_MS);
      lastMs = atMs;
      this.delays.add(delayMs);
      if (delayMs > this.maxMs) this.maxMs = delayMs;
    }, EVERY_MS);
    this.#timer.unref();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** @returns {number} the longest since it was asked last */
  takeMax() {
    const { maxMs } = this;
    this.maxMs = 0;
    return maxMs;
  }
}

module.exports = { LoopDelay };
