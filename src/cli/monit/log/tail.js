/** Follows the newest lines of one app's log, read from its files as `logs` does. */
import { setTimeout as pause } from 'node:timers/promises';
import { LogReader } from '../../../api/logs/log-reader.js';
import { sourcesOf } from '../../../api/logs/log-source.js';
import { isQuiet, oneRound } from '../../../api/logs/merge.js';

/**
 * @import { NodeclusterError } from '../../../errors/error.js'
 * @import { LoggingApp } from '../../../protocol/methods.js'
 * @import { Entry, LogSource } from '../../../api/logs/log-source.js'
 */

const POLL_MS = 250;
/** Past lines of each file to show first, from at most this many bytes at its end. */
const PAST_LINES = 100;
const PAST_BYTES = 4 * 1024 * 1024;
/** If more lines come at once, the oldest are skipped: nobody could read them. */
const MAX_AT_ONCE = 1000;

/**
 * @param {LoggingApp} app
 * @param {(entries: Entry[]) => void} show called the first time even if there are none
 * @param {AbortSignal} signal stops following
 * @returns {Promise<void>} settles after the signal
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
      if (entries.length >= MAX_AT_ONCE) {
        await closeAll(readers);
        readers = await openAll(sources);
      }
      await pause(POLL_MS);
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
      if (entries.length >= MAX_AT_ONCE) return entries;
    }
  } while (!isQuiet(readers));
  return entries;
}

/** @param {LogSource[]} sources */
function openAll(sources) {
  const past = { lines: PAST_LINES, sinceMs: null, maxBytes: PAST_BYTES };
  const options = { past, follows: true, onMissed: () => {} };
  return Promise.all(sources.map((source) => new LogReader(source, options).open()));
}

/** @param {LogReader[]} readers */
async function closeAll(readers) {
  await Promise.all(readers.map((reader) => reader.close()));
}
