'use strict';

/** Counts durations by the first bound that they do not exceed. */
class Buckets {
  sumMs = 0;
  #boundsMs;

  /** @param {readonly number[]} boundsMs ascending */
  constructor(boundsMs) {
    this.#boundsMs = boundsMs;
    /** @type {number[]} one per bound, and a last one for everything above */
    this.counts = Array(boundsMs.length + 1).fill(0);
  }

  /**
   * @param {number} ms
   * @param {number} [weight] number of durations that this one represents
   */
  add(ms, weight = 1) {
    const bounds = this.#boundsMs;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ms <= bounds[middle]) high = middle;
      else low = middle + 1;
    }
    this.counts[low] += weight;
    this.sumMs += ms * weight;
  }
}

module.exports = { Buckets };
