/** Merges the entries of several logs in the order of their times, as far as these are known. */
/**
 * @import { LogReader } from './log-reader.js'
 * @import { Entry } from './log-source.js'
 */

/** After this many entries, readers that were empty are tried again. */
const ROUND = 10_000;

/**
 * @param {readonly LogReader[]} readers
 * @returns {AsyncGenerator<{entry: Entry, reader: LogReader}>} the entries that they have now, up to ROUND
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
 * @param {readonly LogReader[]} readers
 * @returns {boolean} whether everything written so far has been taken
 */
export function isQuiet(readers) {
  return readers.every((reader) => reader.isAtEnd && reader.nextTime === null);
}

/** If times are equal, the first reader wins. @param {readonly LogReader[]} readers */
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
