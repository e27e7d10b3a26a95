/** The newest lines of one app's log, as they come; the files are read as `logs` does. */
import { setTimeout as pause } from 'node:timers/promises';
import { LogReader } from '../../logs/log-reader.js';
import { sourcesOf } from '../../logs/log-source.js';
import { isQuiet, oneRound } from '../../logs/merge.js';

/**
 * @import { NodeclusterError } from '../../../errors/error.js'
 * @import { LoggingApp } from '../../../protocol/methods.js'
 * @import { Entry, LogSource } from '../../logs/log-source.js'
 */

const LOOK_EVERY_MS = 250;
/** Lines of the past that are read at first, of each file, and in how many of its last bytes. */
const PAST = 100;
const PAST_BYTES = 4 * 1024 * 1024;
/** More lines than this at once, and those between are left out: nobody could read them. */
const MOST_AT_ONCE = 1000;

/**
 * @param {LoggingApp} app
 * @param {(entries: Entry[]) => void} show at first called also
 *   with none
 * @param {AbortSignal} signal ends it
 * @returns {Promise<void>} when it was ended
 * @throws {NodeclusterError} E_LOG_UNREADABLE
 */
export async function followLog(app, show, signal) {
  const sources = sourcesOf([app], { stream: null, grep: null });
  let readers = await openAll(sources);
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const entries = await entriesOf(readers);
      if (signal.aborted) break;
      if (isFirst || entries.length > 0) show(entries);
      if (entries.length >= MOST_AT_ONCE) {
        await closeAll(readers);
        readers = await openAll(sources);
      }
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    await closeAll(readers);
  }
}

/** @param {LogReader[]} readers */
async function entriesOf(readers) {
  const entries = [];
  do {
    for await (const { entry } of oneRound(readers)) {
      entries.push(entry);
      if (entries.length >= MOST_AT_ONCE) return entries;
    }
  } while (!isQuiet(readers));
  return entries;
}

/** @param {LogSource[]} sources */
function openAll(sources) {
  const past = { lines: PAST, sinceMs: null, maxBytes: PAST_BYTES };
  const options = { past, follows: true, onMissed: () => {} };
  return Promise.all(sources.map((source) => new LogReader(source, options).open()));
}

/** @param {LogReader[]} readers */
async function closeAll(readers) {
  await Promise.all(readers.map((reader) => reader.close()));
}
