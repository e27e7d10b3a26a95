/** The log lines that are shown: a bounded number of them. */

/** @import { LogLine } from '../../shapes.js' */

export class LineBuffer {
  /** @type {LogLine[]} the oldest first */
  lines = [];
  /** How many lines were dropped at the start since the buffer was filled. */
  dropped = 0;
  #limit;

  /** @param {number} limit number of lines */
  constructor(limit) {
    this.#limit = limit;
  }

  /** @param {{isFirst: boolean, records: LogLine[]}} received isFirst: they replace all others */
  add({ isFirst, records }) {
    if (isFirst) {
      this.lines = [];
      this.dropped = 0;
    }
    this.lines.push(...records);
    const surplus = this.lines.length - this.#limit;
    if (surplus <= 0) return;
    this.lines.splice(0, surplus);
    this.dropped += surplus;
  }
}
