/** What happened between the lines of logs: starts and exits of workers, commands. */
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { makeDateFormat } from '../../shared/log-files/date-format.js';
import { outcomeText } from '../../show/event.js';

/**
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Entry, LogSource } from './log-source.js'
 */

/** Commands that change how an app runs. */
const MARKED_ACTIONS = ['reload', 'restart', 'scale', 'stop'];
/** Of what follows an exit; otherwise the mark of the next start says why. */
const NO_START = ['backoff', 'errored', 'exited'];

/** In words that follow the name of the worker or app; null: nothing worth a mark. @type {Record<string, (record: any) => string | null>} */
const MARKS = {
  'worker.started': ({ pid, why }) => `started, pid ${pid}${why ? `, after it ${why}` : ''}`,
  'worker.exited': ({ then, reason, why }) => (NO_START.includes(then) ? (why ?? reason) : null),
  'action.ended': ({ action, ok, durationMs, by, changed = [], failed = [] }) => {
    if (!MARKED_ACTIONS.includes(action)) return null;
    const differences = changed.map((/** @type {string} */ key) => ({ key }));
    const change = { by, differences, omitted: 0 };
    return `${action} ended: ${outcomeText({ ok, durationMs, failed, change })}`;
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
  const record = { time, event, app, worker, pid, after };
  return { ...entry, app: String(app), worker, message: String(message), isMark: true, record };
}
