/** Follows the newest lines of some apps, read from their log files as `logs` does. */
import { setTimeout as pause } from 'node:timers/promises';
import { LogReader } from './log-reader.js';
import { sourcesOf } from './log-source.js';
import { isQuiet, oneRound } from './merged-logs.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Entry, LogFilter, LogSource } from './log-source.js'
 */

/**
 * @typedef {object} TailOptions
 * @property {LogFilter} [filter]
 * @property {(entry: Entry) => boolean} [accepts] what the filter cannot say
 * @property {number} [pastLines] of each file to show first
 */

const POLL_MS = 250;
/** Past lines of each file to show first, from at most this many bytes at its end. */
const PAST_LINES = 100;
const PAST_BYTES = 4 * 1024 * 1024;
/** If more lines come at once, the oldest are skipped: nobody could read them. */
const MAX_AT_ONCE = 1000;

/**
 * @param {LoggingApp[]} apps
 * @param {(entries: Entry[]) => void | Promise<void>} show called the first time even if there are none;
 *   reading continues when it has resolved
 * @param {AbortSignal} signal stops following
 * @param {TailOptions} [options]
 * @returns {Promise<void>} settles after the signal
 * @throws {NodeclusterError} E_LOG_UNREADABLE
 */
export async function followLog(apps, show, signal, options = {}) {
  const { filter = { stream: null, grep: null }, accepts = () => true } = options;
  const sources = sourcesOf(apps, filter).map((source) => ({
    ...source,
    accepts: (/** @type {Entry} */ entry) => source.accepts(entry) && accepts(entry),
  }));
  const open = () => openAll(sources, options.pastLines ?? PAST_LINES);
  let readers = await open();
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const entries = await entriesOf(readers);
      if (signal.aborted) break;
      if (isFirst || entries.length > 0) await show(entries);
      if (entries.length >= MAX_AT_ONCE) {
        await closeAll(readers);
        readers = await open();
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

/** @param {LogSource[]} sources @param {number} pastLines */
function openAll(sources, pastLines) {
  // Together they stay below what counts as too many at once.
  const most = Math.floor((MAX_AT_ONCE - 1) / Math.max(1, sources.length));
  const past = { lines: Math.min(pastLines, most), sinceMs: null, maxBytes: PAST_BYTES };
  const options = { past, follows: true, onMissed: () => {} };
  return Promise.all(sources.map((source) => new LogReader(source, options).open()));
}

/** @param {LogReader[]} readers */
async function closeAll(readers) {
  await Promise.all(readers.map((reader) => reader.close()));
}
