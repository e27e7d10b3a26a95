/** Which files have the lines that somebody wants to see, and which of their lines those are. */
import { makeLineFormat } from '../../shared/log-files/log-line.js';
import { withoutColours } from '../render/mask.js';

/** @import { LineStyle } from '../../shared/log-files/log-line.js' */

/**
 * @typedef {object} LoggingApp what the daemon says of an app
 * @property {string} name
 * @property {number[] | null} slots that were asked for; null: all
 * @property {LineStyle} style
 * @property {{slot: number | null, out: string[], error: string[]}[]} files slot null: of all workers
 *
 * @typedef {object} Entry one line
 * @property {number | null} time epoch ms; null where the line does not say
 * @property {string | null} app
 * @property {number | null} worker its slot
 * @property {'out' | 'error' | null} stream
 * @property {string} message
 * @property {boolean} goesOn a further piece of a line that was too long
 * @property {Record<string, unknown>} [record] of the daemon's own log: the line as it was written
 *
 * @typedef {object} LogSource one file
 * @property {string} path
 * @property {(line: string) => Entry} read
 * @property {(entry: Entry) => boolean} accepts
 * @property {string} owner whose lines these are, for messages
 *
 * @typedef {object} Wanted
 * @property {'out' | 'error' | null} stream null: both
 * @property {RegExp | null} grep
 */

/**
 * @param {LoggingApp[]} apps
 * @param {Wanted} wanted
 * @returns {LogSource[]} no file twice, also when apps share one
 */
export function sourcesOf(apps, wanted) {
  /** @type {Map<string, LogSource>} */
  const sources = new Map();
  for (const app of apps) {
    for (const files of app.files) {
      for (const { path, stream } of filesToRead(files, wanted.stream)) {
        const source = sourceOf(app, files.slot, path, stream, wanted);
        const other = sources.get(path);
        sources.set(path, other ? shared(other, source) : source);
      }
    }
  }
  return [...sources.values()];
}

/**
 * Where both streams are written to one file and one of them to another too, the lines of that
 * one would be there twice.
 * @param {{out: string[], error: string[]}} files
 * @param {'out' | 'error' | null} wanted
 * @returns {{path: string, stream: 'out' | 'error' | null}[]} stream null: the lines of both
 */
export function filesToRead({ out, error }, wanted) {
  const ownOut = out.find((path) => !error.includes(path));
  const ownError = error.find((path) => !out.includes(path));
  const both = out.find((path) => error.includes(path));
  /** @param {string | undefined} path @param {'out' | 'error' | null} stream */
  const one = (path, stream) => (path === undefined ? [] : [{ path, stream }]);
  if (wanted !== null) {
    const own = wanted === 'out' ? ownOut : ownError;
    return own === undefined ? one(both, null) : one(own, wanted);
  }
  if (both === undefined || (ownOut !== undefined && ownError !== undefined)) {
    return [...one(ownOut, 'out'), ...one(ownError, 'error')];
  }
  return one(both, null);
}

/**
 * What a line or its file does not say cannot be a reason to leave it out.
 * @param {LoggingApp} app
 * @param {number | null} slot
 * @param {string} path
 * @param {'out' | 'error' | null} stream
 * @param {Wanted} wanted
 * @returns {LogSource}
 */
function sourceOf({ name, slots, style }, slot, path, stream, wanted) {
  const format = makeLineFormat(style);
  return {
    path,
    owner: name,
    read: (text) => {
      const line = format.read(text);
      return {
        ...line,
        app: line.app ?? name,
        worker: line.worker ?? slot,
        stream: line.stream ?? stream,
      };
    },
    accepts: ({ app, worker, stream: said, message }) =>
      app === name &&
      (slots === null || worker === null || slots.includes(worker)) &&
      (wanted.stream === null || said === null || said === wanted.stream) &&
      matches(wanted.grep, message),
  };
}

/**
 * @param {RegExp | null} grep
 * @param {string} message its colours are not looked at
 */
export function matches(grep, message) {
  return grep === null || grep.test(withoutColours(message));
}

/**
 * What a line does not say is as in the app that it is of.
 * @param {LogSource} one
 * @param {LogSource} other
 * @returns {LogSource}
 */
function shared(one, other) {
  return {
    ...one,
    read(text) {
      const entry = one.read(text);
      return entry.app === other.owner ? other.read(text) : entry;
    },
    accepts: (entry) => one.accepts(entry) || other.accepts(entry),
  };
}
