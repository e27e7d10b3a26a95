/** Reads several logs at once and merges their entries in the order of their times, as fast as these are taken. */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { readLog } from './log-reader.js';
import { statOf } from './log-files.js';
import { sourcesOf } from './log-source.js';

/**
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Past } from './log-reader.js'
 * @import { Entry, LogFilter, LogSource } from './log-source.js'
 *
 * @typedef {object} LogsOptions
 * @property {Past} past
 * @property {boolean} follows false: it stops where each log ended when it was opened
 * @property {AbortSignal} [signal] stops following
 * @property {(problem: NodeclusterError) => void} warn about what could not be read, when the rest can be
 *
 * @typedef {object} Reader
 * @property {LogSource} source
 * @property {ReturnType<typeof readLog>} batches
 * @property {Entry[]} entries that were read but not yet taken; the next one is last
 * @property {number} lastTime which an entry without a time gets
 * @property {boolean} isAtEnd
 */

/** Past lines of each file that are shown if no other number was requested: a stdout that is busy must not hide the last errors, and
 * the trace of an error is longer than a few. */
export const DEFAULT_LINES = 30;

/** ms after which logs that had nothing more are looked at again. */
const ROUND_MS = 200;
/** Apps may be started and deleted meanwhile. */
const UPDATE_MS = 2000;
/** Whether no app has that name, yet. @param {unknown} thrown */
export const isUnknown = (thrown) =>
  ['E_APP_UNKNOWN', 'E_WORKER_UNKNOWN'].includes(NodeclusterError.from(thrown).code);
/** Characters. */
const BATCH = 64 * 1024;
/** Past lines are from at most this many bytes at the end of each file. */
const PAST_BYTES = 4 * 1024 * 1024;
/** If more lines come at once, the oldest are left out: nobody could read them. */
const MAX_AT_ONCE = 1000;
/** Chunks without an accepted line, after which other logs get their turn. */
const MAX_CHUNKS = 1000;

export class MergedLogs {
  #options;
  #startedMs = Date.now();
  /** By path. @type {Map<string, Reader>} */
  #readers = new Map();
  /** Paths that are no longer listed. @type {string[]} */
  #unlisted = [];
  /** Why they could not be listed, which is told once. */
  #problem = '';
  #isClosed = false;

  /** @param {LogsOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** @param {LogSource[]} sources @throws {NodeclusterError} E_LOG_FILE, E_LOG_TIMELESS */
  async open(sources) {
    const { past, warn } = this.#options;
    /** @type {NodeclusterError[]} */
    const errors = [];
    for (const source of sources) {
      const { path, owner: app, isTimeless } = source;
      await this.#add(source, past, (error) => errors.push(error));
      if (!isTimeless || past.sinceMs === null) continue;
      errors.push(new NodeclusterError('E_LOG_TIMELESS', { app, path }));
    }
    // What cannot be read, or has no times for --since, does not hide the others.
    if (errors.length > 0 && errors.length >= sources.length) {
      await this.close();
      throw errors[0];
    }
    errors.forEach(warn);
  }

  /** New ones are read from the time when this was created, others to their end. @param {LogSource[]} sources */
  async update(sources) {
    this.#problem = '';
    const listed = new Set(sources.map(({ path }) => path));
    this.#unlisted = [...this.#readers.keys()].filter((path) => !listed.has(path));
    for (const source of sources) {
      const reader = this.#readers.get(source.path);
      if (reader) {
        Object.assign(reader.source, source);
        continue;
      }
      const file = await statOf(source.path);
      const isNew = file === null || file.birthtimeMs >= this.#startedMs;
      const past = { lines: Infinity, sinceMs: isNew ? null : this.#startedMs };
      await this.#add(source, past, this.#options.warn);
    }
  }

  /** @param {LogSource} source @param {Past} past @param {(error: NodeclusterError) => void} onError called once */
  async #add(source, past, onError) {
    const { path, isTimeless } = source;
    const lines = isTimeless && past.sinceMs !== null ? 0 : past.lines;
    const own = { ...source };
    const batches = readLog(own, { ...this.#options, past: { ...past, lines } });
    /** @type {Reader} */
    const reader = { source: own, batches, entries: [], lastTime: -Infinity, isAtEnd: false };
    this.#readers.set(path, reader);
    await reader.batches.next().catch((error) => onError(NodeclusterError.from(error)));
  }

  /** @param {() => Promise<LogSource[]>} fetchSources called every two seconds; while it fails, nothing changes */
  keepUpdated(fetchSources) {
    setTimeout(async () => {
      const isOver = () => this.#isClosed || this.#options.signal?.aborted;
      const sources = isOver() ? null : await fetchSources().catch((thrown) => this.#tell(thrown));
      // What is opened after the end would stay open.
      if (isOver()) return;
      if (sources) await this.update(sources);
      this.keepUpdated(fetchSources);
    }, UPDATE_MS).unref();
  }

  /** Not of a daemon that is away: the next one knows the same files. @param {unknown} thrown */
  #tell(thrown) {
    const error = NodeclusterError.from(thrown);
    if (!isUnknown(error) || error.message === this.#problem) return;
    this.#problem = error.message;
    this.#options.warn(error);
  }

  /** Until the end of the logs, or the signal; an empty one after each round. @returns {AsyncGenerator<Entry[]>} */
  async *batches() {
    const { follows, signal } = this.#options;
    try {
      while (!signal?.aborted) {
        const readers = [...this.#readers.values()];
        yield* oneRound(readers);
        yield [];
        if (!readers.every(({ isAtEnd, entries }) => isAtEnd && entries.length === 0)) continue;
        if (!follows) break;
        for (const path of this.#unlisted.splice(0)) {
          await this.#readers.get(path)?.batches.return();
          this.#readers.delete(path);
        }
        await pause(ROUND_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      await this.close();
    }
  }

  async close() {
    this.#isClosed = true;
    await Promise.all([...this.#readers.values()].map(({ batches }) => batches.return()));
  }
}

/** @param {readonly Reader[]} readers @returns {AsyncGenerator<Entry[]>} what they have now, or can read in that time */
async function* oneRound(readers) {
  const end = performance.now() + ROUND_MS;
  const empty = new Set();
  for (let reader; reader !== null && performance.now() < end;) {
    /** @type {Entry[]} */
    const batch = [];
    for (let characters = 0; characters < BATCH;) {
      for (const each of readers) {
        if (each.entries.length === 0 && !empty.has(each) && !(await fill(each))) empty.add(each);
      }
      reader = earliest(readers);
      if (reader === null) break;
      const entry = /** @type {Entry} */ (reader.entries.pop());
      reader.lastTime = entry.time ?? reader.lastTime;
      characters += entry.message.length;
      batch.push(entry);
    }
    if (batch.length > 0) yield batch;
  }
}

/** @param {Reader} reader @returns {Promise<boolean>} whether it has an entry, as far as others can wait for it */
async function fill(reader) {
  for (let chunks = 0; chunks < MAX_CHUNKS && reader.entries.length === 0; chunks += 1) {
    const { value } = await reader.batches.next();
    reader.isAtEnd = !value;
    if (!value) return false;
    reader.entries = value.reverse();
  }
  return reader.entries.length > 0;
}

/** If times are equal, the first reader wins. @param {readonly Reader[]} readers */
function earliest(readers) {
  let first = null;
  let time = Infinity;
  for (const reader of readers) {
    if (reader.entries.length === 0) continue;
    const nextTime = reader.entries[reader.entries.length - 1].time ?? reader.lastTime;
    if (first !== null && nextTime >= time) continue;
    first = reader;
    time = nextTime;
  }
  return first;
}

/**
 * @param {() => Promise<LoggingApp[]>} fetchApps asked again for other log files: a reload and another number of workers may
 *   bring them
 * @param {(entries: Entry[]) => void | Promise<void>} show called at first even if there are none; reading waits for it
 * @param {AbortSignal} signal
 * @param {{filter: LogFilter, pastLines: number, warn: LogsOptions['warn']}} options pastLines: of each app to show first
 */
export async function followLog(fetchApps, show, signal, { filter, pastLines, warn }) {
  const fetchSources = async () => sourcesOf(await fetchApps(), filter);
  const sources = await fetchSources();
  const lines = Math.min(pastLines, Math.floor(MAX_AT_ONCE / Math.max(1, sources.length)));
  const past = { lines, sinceMs: null, maxBytes: PAST_BYTES };
  const logs = new MergedLogs({ past, follows: true, signal, warn });
  await logs.open(sources);
  logs.keepUpdated(fetchSources);
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
