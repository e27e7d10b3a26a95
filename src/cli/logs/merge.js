/** What several logs have to say, as one: in the order of time, as far as times are known. */
/** @import { Entry } from './log-source.js' */

/**
 * @typedef {object} Reader
 * @property {number | null} nextTime of the next entry; null: there is none
 * @property {boolean} isAtEnd
 * @property {() => Promise<boolean>} fill
 * @property {() => Entry} take
 */

/** Entries of one round, after which those that had nothing are asked again. */
const ROUND = 10_000;

/**
 * @param {readonly Reader[]} readers
 * @returns {AsyncGenerator<{entry: Entry, reader: Reader}>} what they have now, or a part of it
 */
export async function* oneRound(readers) {
  const asked = new Set();
  for (let count = 0; count < ROUND; count += 1) {
    for (const reader of readers) {
      if (reader.nextTime !== null || asked.has(reader)) continue;
      if (!(await reader.fill())) asked.add(reader);
    }
    const reader = earliest(readers);
    if (reader === null) return;
    yield { entry: reader.take(), reader };
  }
}

/**
 * @param {readonly Reader[]} readers
 * @returns {boolean} whether there is nothing to wait for but what is yet to be written
 */
export function isQuiet(readers) {
  return readers.every((reader) => reader.isAtEnd && reader.nextTime === null);
}

/**
 * Of entries with one time those of the first reader come first.
 * @param {readonly Reader[]} readers
 * @returns {Reader | null}
 */
function earliest(readers) {
  let first = null;
  let time = Infinity;
  for (const reader of readers) {
    const { nextTime } = reader;
    if (nextTime === null || (first !== null && nextTime >= time)) continue;
    first = reader;
    time = nextTime;
  }
  return first;
}
