/**
 * Marks for `logs`: where the life of a worker begins. They come from the log of the daemon, not from
 * those of the apps, which contain only what the programs write.
 */
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { makeDateFormat } from '../../shared/log-files/date-format.js';

/**
 * @import { Entry, LogSource } from '../../api/logs/log-source.js'
 * @import { LoggingApp } from '../../protocol/methods.js'
 */

/**
 * @param {string} path of the daemon's log
 * @param {LoggingApp[]} apps whose logs are shown
 * @returns {LogSource}
 */
export function workerStarts(path, apps) {
  const formats = new Map(
    apps.map(({ name, style: { dateFormat } }) => [name, dateFormat && makeDateFormat(dateFormat)]),
  );
  return {
    path,
    owner: 'the daemon',
    hasMarks: true,
    read(line) {
      const entry = readStart(line);
      const format = formats.get(entry.app ?? '');
      // The lines of this app are only as exact as its format, and come after a mark of the same time.
      const time = format && entry.time !== null ? format.read(format.write(entry.time)) : null;
      return { ...entry, time: time ?? entry.time };
    },
    accepts: ({ app, worker, isMark = false }) =>
      isMark &&
      apps.some(({ name, slots }) => name === app && (slots?.includes(Number(worker)) ?? true)),
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

/** @param {string} line @returns {Entry} */
function readStart(line) {
  const entry = readDaemonLine(line);
  const { event, app, slot, pid, why: after = null } = entry.record ?? {};
  if (event !== 'worker.started') return entry;
  const message = `started, pid ${pid}${after ? `, after it ${after}` : ''}`;
  const worker = Number(slot);
  const record = { time: entry.record?.time, event, app, worker, pid, after };
  return { ...entry, app: String(app), worker, message, isMark: true, record };
}
