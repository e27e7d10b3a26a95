/** Follows the newest lines of some apps, read from their log files as `logs` does, with what happened between them. */
import { attempt } from '../../errors/error.js';
import { sourcesOf } from './log-source.js';
import { MergedLogs } from './merged-logs.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { LEVEL_OF } from '../../lifecycle/log-record.js';
import { describeEvent } from '../../show/event.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Entry, LogFilter, LogSource } from './log-source.js'
 *
 * @typedef {object} TailOptions
 * @property {LogFilter} filter
 * @property {(entry: Entry) => boolean} [accepts] what the filter cannot say
 * @property {number} pastLines of each app to show first
 * @property {string} [daemonLog] its path: marks from it stand between the lines
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
  const { filter, accepts = () => true, pastLines, daemonLog, warn } = options;
  const marks = daemonLog === undefined ? [] : [marksOf(daemonLog, apps)];
  const sources = [...marks, ...sourcesOf(apps, filter)].map((source) => ({
    ...source,
    accepts: (/** @type {Entry} */ entry) => source.accepts(entry) && accepts(entry),
  }));
  const lines = Math.min(pastLines, Math.floor(MAX_AT_ONCE / Math.max(1, sources.length)));
  const past = { lines, sinceMs: null, maxBytes: PAST_BYTES };
  const logs = new MergedLogs({ past, follows: true, signal, warn });
  await logs.open(sources);
  const isShown = makeMarkFilter(Date.now());
  /** @type {Entry[]} */
  let entries = [];
  let isFirst = true;
  for await (const batch of logs.batches()) {
    entries = [...entries, ...batch].slice(-MAX_AT_ONCE);
    if (batch.length > 0 || (entries.length === 0 && !isFirst)) continue;
    const shown = entries.filter(isShown);
    // Where there are no lines, marks need no place among them.
    await show(isFirst && shown.length === 0 ? entries : shown);
    entries = [];
    isFirst = false;
  }
}

/** Commands that change how an app runs. */
const MARKED_ACTIONS = ['reload', 'restart', 'scale', 'stop'];

/**
 * What happened between the lines: starts and exits of workers, commands. It comes from the log of the daemon, not from
 * those of the apps, which contain only what the programs write.
 * @param {string} path of the daemon's log
 * @param {LoggingApp[]} apps whose logs are shown
 * @param {number} [until] epoch ms
 * @returns {LogSource}
 */
export function marksOf(path, apps, until = Infinity) {
  return {
    path,
    owner: 'the daemon',
    hasMarks: true,
    read(line) {
      const entry = readDaemonLine(line);
      const { app, slot: worker = null, level } = /** @type {any} */ (entry.record ?? {});
      // It may be of another version, or damaged.
      const message = attempt(() => markOf(entry.record ?? {}), null);
      if (message === null) return entry;
      return { ...entry, app, worker, message, level: LEVEL_OF.get(level), isMark: true };
    },
    accepts: ({ app, worker, time, isMark = false }) =>
      isMark &&
      Number(time) <= until &&
      apps.some(
        ({ name, slots }) => name === app && (worker === null || (slots?.includes(worker) ?? true)),
      ),
  };
}

/** @param {Record<string, any>} record of the daemon's log @returns {string | null} in the words of events; null: it is no mark */
function markOf({ why, by, changed = [], failed = [], ...told }) {
  const { event, action, pid } = told;
  if (!isMarked(told)) return null;
  const differences = changed.map((/** @type {string} */ key) => ({ key }));
  const start = `pid ${pid}${why ? `, after it ${why}` : ''}`;
  const happened = {
    ...told,
    type: event.replace('action', action),
    failed,
    change: { by, differences, omitted: 0 },
    reason: event === 'worker.started' ? start : (why ?? told.reason),
  };
  const words = describeEvent(/** @type {any} */ (happened));
  return words.filter(Boolean).join(': ');
}

/** @param {Record<string, any>} record */
function isMarked({ event = '', action, level, then }) {
  if (event === 'action.ended') return MARKED_ACTIONS.includes(action);
  // The mark of the next start says why the worker exited.
  if (!event.startsWith('worker.') || then === 'started again') return false;
  return level === 'warn' || /started|exited/.test(event);
}

/**
 * A past mark is shown only after a line of its app: before the first one, and among lines without
 * times, its place is not known.
 * @param {number} startedMs epoch; what happens later is not past
 * @returns {(entry: Entry) => boolean} called for the entries in their order
 */
export function makeMarkFilter(startedMs) {
  const seen = new Set();
  return ({ app, time, isMark = false }) => {
    if (isMark) return seen.has(app) || Number(time) >= startedMs;
    if (time !== null) seen.add(app);
    return true;
  };
}
