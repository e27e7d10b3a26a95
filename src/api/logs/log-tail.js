/** Follows the newest lines of some apps, read from their log files as `logs` does. */
import { sourcesOf } from './log-source.js';
import { MergedLogs } from './merged-logs.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { LEVEL_OF } from '../../lifecycle/log-record.js';
import { makeDateFormat } from '../../shared/log-files/date-format.js';
import { outcomeText } from '../../show/event.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Entry, LogFilter, LogSource } from './log-source.js'
 */

/**
 * @typedef {object} TailOptions
 * @property {LogFilter} filter
 * @property {(entry: Entry) => boolean} [accepts] what the filter cannot say
 * @property {number} pastLines of each app to show first
 * @property {string} [daemonLog] its path: marks from it stand between the lines
 */

/** Past lines are from at most this many bytes at the end of each file. */
const PAST_BYTES = 4 * 1024 * 1024;
/** If more lines come at once, the oldest are skipped: nobody could read them. */
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
  const lines = Math.min(pastLines, most);
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

/** What happened between the lines of logs: starts and exits of workers, commands. */

/** Commands that change how an app runs. */
const MARKED_ACTIONS = ['reload', 'restart', 'scale', 'stop'];
/** Of what follows an exit; otherwise the mark of the next start says why. */
const NO_START = ['backoff', 'errored', 'exited'];

/** In words that follow the name of the worker or app; null: nothing worth a mark. @type {Record<string, (record: any) => string | null>} */
const MARKS = {
  'worker.started': ({ pid, why }) => `started, pid ${pid}${why ? `, after it ${why}` : ''}`,
  'worker.exited': ({ then, reason, why = reason, cause }) =>
    NO_START.includes(then) ? [why, cause].filter(Boolean).join(': ') : null,
  'action.ended': ({ action, ok, durationMs, by, changed = [], failed = [] }) => {
    if (!MARKED_ACTIONS.includes(action)) return null;
    const differences = changed.map((/** @type {string} */ key) => ({ key }));
    const change = { by, differences, omitted: 0 };
    return `${action} ${ok ? 'ended' : 'failed'}: ${outcomeText({ ok, durationMs, failed, change })}`;
  },
};

/** @param {Record<string, any>} record @returns {string | null} */
function markOf(record) {
  const { event, level, reason } = record;
  if (Object.hasOwn(MARKS, event)) return MARKS[event](record);
  const isWarning = level === 'warn' && event.startsWith('worker.');
  return isWarning ? [event.slice(7), reason].filter(Boolean).join(': ') : null;
}

/**
 * It comes from the log of the daemon, not from those of the apps, which contain only what the programs write.
 * @param {string} path of the daemon's log
 * @param {LoggingApp[]} apps whose logs are shown
 * @param {RegExp} [marked] types of entries
 * @returns {LogSource}
 */
export function marksOf(path, apps, marked = /^/) {
  const formats = new Map(
    apps.map(({ name, style: { dateFormat } }) => [name, dateFormat && makeDateFormat(dateFormat)]),
  );
  return {
    path,
    owner: 'the daemon',
    hasMarks: true,
    read(line) {
      const entry = readMark(line, marked);
      const format = formats.get(entry.app ?? '');
      // The lines of this app are only as exact as its format, and come after a mark of the same time.
      const time = format && entry.time !== null ? format.read(format.write(entry.time)) : null;
      return { ...entry, time: time ?? entry.time };
    },
    accepts: ({ app, worker, isMark = false }) =>
      isMark &&
      apps.some(
        ({ name, slots }) => name === app && (worker === null || (slots?.includes(worker) ?? true)),
      ),
  };
}

/**
 * A past mark is shown only after a line of its app: before the first one, and among lines without
 * times, its place is not known.
 * @param {number} startedMs epoch; what happens later is not past
 * @returns {(entry: Entry) => boolean} called for the entries in their order
 */
export function makeMarkFilter(startedMs) {
  const seen = new Set();
  return ({ app, time, record, isMark = false }) => {
    if (isMark) return seen.has(app) || Date.parse(String(record?.time)) >= startedMs;
    if (time !== null) seen.add(app);
    return true;
  };
}

/** @param {string} line @param {RegExp} marked @returns {Entry} */
function readMark(line, marked) {
  const entry = readDaemonLine(line);
  const { time, event, app, slot, pid, why: after = null } = entry.record ?? {};
  const message = entry.record && marked.test(String(event)) ? markOf(entry.record) : null;
  if (message === null) return entry;
  const worker = slot === undefined ? null : Number(slot);
  const level = LEVEL_OF.get(String(entry.record?.level));
  const record = { time, event, app, worker, pid, after };
  return { ...entry, app: String(app), worker, message, level, isMark: true, record };
}
