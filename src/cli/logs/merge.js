/** Merges the entries of several logs in the order of their times, as far as these are known. */
/** @import { Entry } from './log-source.js' */

/**
 * @typedef {object} Reader
 * @property {number | null} nextTime of the next entry; null: none is buffered
 * @property {boolean} isAtEnd
 * @property {() => Promise<boolean>} fill
 * @property {() => Entry} take
 */

/** After this many entries, readers that had nothing are asked again. */
const ROUND = 10_000;

/**
 * @template {Reader} R
 * @param {readonly R[]} readers
 * @returns {AsyncGenerator<{entry: Entry, reader: R}>} the entries that they have now, up to ROUND
 */
export async function* oneRound(readers) {
  const empty = new Set();
  for (let count = 0; count < ROUND; count += 1) {
    for (const reader of readers) {
      if (reader.nextTime !== null || empty.has(reader)) continue;
      if (!(await reader.fill())) empty.add(reader);
    }
    const reader = earliest(readers);
    if (reader === null) return;
    yield { entry: reader.take(), reader };
  }
}

/**
 * @param {readonly Reader[]} readers
 * @returns {boolean} whether everything that is written so far has been taken
 */
export function isQuiet(readers) {
  return readers.every((reader) => reader.isAtEnd && reader.nextTime === null);
}

/**
 * @template {Reader} R
 * @param {readonly R[]} readers
 * @returns {R | null} with the earliest entry; of several, the first
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
