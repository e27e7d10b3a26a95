/** Follows the newest lines of some apps, read from their log files as `logs` does. */
import { sourcesOf } from './log-source.js';
import { MergedLogs } from './merged-logs.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Entry, LogFilter } from './log-source.js'
 *
 * @typedef {object} TailOptions
 * @property {LogFilter} filter
 * @property {(entry: Entry) => boolean} [accepts] what the filter cannot say
 * @property {number} pastLines of each app to show first
 */

/** Past lines are from at most this many bytes at the end of each file. */
const PAST_BYTES = 4 * 1024 * 1024;
/** If more lines come at once, the oldest are left out: nobody could read them. */
const MAX_AT_ONCE = 1000;

/**
 * @param {LoggingApp[]} apps
 * @param {(entries: Entry[]) => void | Promise<void>} show called the first time even if there are none;
 *   reading continues when it has resolved
 * @param {AbortSignal} signal stops following
 * @param {TailOptions & {warn: (problem: NodeclusterError) => void}} options warn: about logs that could not be read
 * @returns {Promise<void>} settles after the signal
 * @throws {NodeclusterError} E_LOG_UNREADABLE
 */
export async function followLog(apps, show, signal, options) {
  const { filter, accepts = () => true, pastLines, warn } = options;
  const sources = sourcesOf(apps, filter).map((source) => ({
    ...source,
    accepts: (/** @type {Entry} */ entry) => source.accepts(entry) && accepts(entry),
  }));
  const lines = Math.min(pastLines, Math.floor(MAX_AT_ONCE / Math.max(1, sources.length)));
  const past = { lines, sinceMs: null, maxBytes: PAST_BYTES };
  const logs = new MergedLogs({ past, follows: true, signal, warn });
  await logs.open(sources);
  /** @type {Entry[]} */
  let entries = [];
  let isFirst = true;
  for await (const batch of logs.batches()) {
    entries = [...entries, ...batch].slice(-MAX_AT_ONCE);
    if (batch.length > 0 || (entries.length === 0 && !isFirst)) continue;
    await show(entries);
    entries = [];
    isFirst = false;
  }
}
