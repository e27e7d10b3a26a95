/** Follows the newest lines of some apps, read from their log files as `logs` does. */
import { sourcesOf } from './log-source.js';
import { makeMarkFilter, marksOf } from './marks.js';
import { MergedLogs } from './merged-logs.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Entry, LogFilter } from './log-source.js'
 */

/**
 * @typedef {object} TailOptions
 * @property {LogFilter} [filter]
 * @property {(entry: Entry) => boolean} [accepts] what the filter cannot say
 * @property {number} [pastLines] of each app to show first
 * @property {string} [daemonLog] its path: marks from it stand between the lines
 */

/** Past lines of each app to show first, from at most this many bytes at the end of each file. */
const PAST_LINES = 100;
const PAST_BYTES = 4 * 1024 * 1024;
/** If more lines come at once, the oldest are skipped: nobody could read them. */
const MAX_AT_ONCE = 1000;

/**
 * @param {LoggingApp[]} apps
 * @param {(entries: Entry[]) => void | Promise<void>} show called the first time even if there are none;
 *   reading continues when it has resolved
 * @param {AbortSignal} signal stops following
 * @param {TailOptions & {warn?: (problem: NodeclusterError) => void}} [options] warn: about logs that could not be read
 * @returns {Promise<void>} settles after the signal
 * @throws {NodeclusterError} E_LOG_UNREADABLE
 */
export async function followLog(apps, show, signal, options = {}) {
  const { filter = { stream: null, grep: null }, accepts = () => true, warn = () => {} } = options;
  const { daemonLog } = options;
  const isShown = makeMarkFilter(Date.now());
  let skippedToMs = -Infinity;
  const marks = daemonLog === undefined ? [] : [marksOf(daemonLog, apps)];
  const sources = [...marks, ...sourcesOf(apps, filter)].map((source) => ({
    ...source,
    accepts: (/** @type {Entry} */ entry) =>
      source.accepts(entry) && accepts(entry) && (entry.time === null || entry.time > skippedToMs),
  }));
  // Together they stay below what counts as too many at once.
  const most = Math.floor((MAX_AT_ONCE - 1) / Math.max(1, sources.length));
  const lines = Math.min(options.pastLines ?? PAST_LINES, most);
  const past = { lines, sinceMs: null, maxBytes: PAST_BYTES };
  for (let isFirst = true; !signal.aborted;) {
    /** @type {Entry[]} */
    const entries = [];
    const onQuiet = async () => {
      if (signal.aborted || (entries.length === 0 && !isFirst)) return;
      const read = entries.splice(0);
      const shown = read.filter(isShown);
      // Where there are no lines, marks need no place among them.
      const hasPlaces = !isFirst || shown.length > 0;
      isFirst = false;
      await show(hasPlaces ? shown : read);
    };
    const logs = new MergedLogs({ past, follows: true, signal, warn, onQuiet });
    await logs.open(sources);
    for await (const batch of logs.batches()) {
      entries.push(...batch);
      if (entries.length < MAX_AT_ONCE) continue;
      entries.splice(0, entries.length - MAX_AT_ONCE);
      skippedToMs = entries[MAX_AT_ONCE - 1].time ?? skippedToMs;
      await onQuiet();
      break;
    }
  }
}
