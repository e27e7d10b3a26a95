/** Which log files to read for some apps, and which of their lines to show. */
import { makeLineFormat } from '../../shared/log-files/log-line.js';
import { withoutColours } from '../../shared/colours.js';
import { LEVELS, readRecord } from '../../lifecycle/log-record.js';
import { readable } from '../../show/log-record.js';

/**
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { LogLine } from '../../shared/log-files/log-line.js'
 * @import { Level } from '../../lifecycle/log-record.js'
 * @import { LogRecord } from '../../protocol/shapes.js'
 * @import { Readable } from '../../show/log-record.js'
 *
 * @typedef {'out' | 'error'} Stream
 * @typedef {{path: string, stream: Stream | null}} LogFile stream null: it has lines of both
 *
 * @typedef {LogLine & {record?: Record<string, unknown>} & Partial<Readable>} Entry
 *   record: the parsed line, only in the daemon's own log
 *
 * @typedef {object} LogSource one file
 * @property {string} path
 * @property {(line: string) => Entry} read
 * @property {(entry: Entry) => boolean} accepts
 * @property {string} owner the app, for messages
 * @property {number | null} [user] of an app that runs as another user, who must own the file
 * @property {boolean} [isTimeless] by the settings of the app
 * @property {number | null} [createdAt] epoch ms; older lines are of a deleted app with its name; null: not known
 *
 * @typedef {object} LogFilter
 * @property {Stream | null} stream null: both
 * @property {RegExp | null} grep
 * @property {number} [until] epoch ms
 * @property {boolean} [isRead] by people: a record of JSON may also match as the text that they see
 * @property {Level | null} [least] of records of JSON; another line is an error on stderr, and less than all elsewhere
 */

/** Each file once, even if apps share it. @param {LoggingApp[]} apps @param {LogFilter} filter */
export function sourcesOf(apps, filter) {
  /** @type {Map<string, LogSource>} */
  const sources = new Map();
  for (const app of apps) {
    for (const { slot, ...files } of app.files) {
      for (const file of filesToRead(files, filter.stream)) {
        const source = makeSource(app, slot, file, filter);
        const other = sources.get(file.path);
        sources.set(file.path, other ? combine(other, source) : source);
      }
    }
  }
  return [...sources.values()];
}

/**
 * If both streams go to one file and one of them also to another, reading both would show the lines of that stream twice.
 * @param {{out: string[], error: string[]}} files
 * @param {Stream | null} requested null: both
 * @returns {LogFile[]}
 */
export function filesToRead({ out, error }, requested) {
  const both = out.find((path) => error.includes(path));
  const own = {
    out: out.find((path) => !error.includes(path)),
    error: error.find((path) => !out.includes(path)),
  };
  /** @type {Stream[]} */
  const asked = requested === null ? ['out', 'error'] : [requested];
  const found = asked.flatMap((stream) => (own[stream] ? [{ path: own[stream], stream }] : []));
  const isComplete = both === undefined || found.length === asked.length;
  return isComplete ? found : [{ path: both, stream: null }];
}

/** @param {LoggingApp} app @param {number | null} slot @param {LogFile} file @param {LogFilter} filter @returns {LogSource} */
function makeSource(
  { name, slots, style, user = null, createdAt },
  slot,
  { path, stream },
  filter,
) {
  const format = makeLineFormat(style);
  const example = format
    .writeOwn(name, '', createdAt ?? 0)
    .toString()
    .slice(0, -1);
  // As exact as the times of the lines.
  const { time } = format.read(example);
  // Local times may be of another zone than that of this process.
  const hasZone = (style.dateFormat ?? 'Z').includes('Z');
  return {
    path,
    owner: name,
    user,
    isTimeless: time === null,
    createdAt: hasZone ? time : null,
    read(text) {
      const line = format.read(text);
      return Object.assign(line, {
        app: line.app ?? name,
        worker: line.worker ?? slot,
        stream: line.stream ?? stream,
      });
    },
    // A line whose worker or stream is unknown is accepted.
    accepts: (entry) =>
      entry.app === name &&
      (slots === null || entry.worker === null || slots.includes(entry.worker)) &&
      (filter.stream === null || entry.stream === null || entry.stream === filter.stream) &&
      matches(filter, entry),
  };
}

/** @param {Omit<LogFilter, 'stream'>} filter @param {Entry} entry whose message is matched without its colours */
export function matches({ grep, isRead, until = Infinity, least = null }, entry) {
  if (Number(entry.time) > until || !isAtLeast(entry, least)) return false;
  const isMatch = (/** @type {string} */ line) => !grep || grep.test(withoutColours(line));
  if (isMatch(entry.message)) return true;
  return isRead === true && readable(entry).message.split('\n').some(isMatch);
}

/** The source of a line's own app completes it. @param {LogSource} one @param {LogSource} other of the same file */
function combine(one, other) {
  return {
    ...one,
    read(/** @type {string} */ text) {
      const entry = one.read(text);
      return entry.app === other.owner ? other.read(text) : entry;
    },
    accepts: (/** @type {Entry} */ entry) => one.accepts(entry) || other.accepts(entry),
    isTimeless: one.isTimeless && other.isTimeless,
    createdAt: Math.min(one.createdAt ?? 0, other.createdAt ?? 0),
  };
}

/** A line as `logs --json` prints it and as programs get it. @param {Entry} entry @returns {LogRecord} */
export function recordOf({ time, app, worker, stream, message, goesOn }) {
  const record = { time: isoTime(time), app, worker, stream, message };
  return goesOn ? { ...record, goesOn } : record;
}

/** @param {number | null} time epoch ms */
export function isoTime(time) {
  return time === null ? null : new Date(time).toISOString();
}

/** @param {Entry} entry @param {Level | null} least null: every line */
function isAtLeast({ message, stream }, least) {
  if (least === null) return true;
  const level = readRecord(message)?.level ?? (stream === 'error' ? 'error' : null);
  return level !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
