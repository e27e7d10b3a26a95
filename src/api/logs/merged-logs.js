/**
 * Reads several logs at once and merges their entries, as fast as these are taken, in the order of their times
 * as far as these are known.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { LogReader } from './log-reader.js';
import { statOf } from './log-files.js';

/**
 * @import { Past } from './find-start.js'
 * @import { Entry, LogSource } from './log-source.js'
 */

/**
 * @typedef {object} LogsOptions
 * @property {Past} past
 * @property {boolean} follows false: it stops where each log ended when it was opened
 * @property {AbortSignal} [signal] stops following
 * @property {(problem: NodeclusterError) => void} warn called about what could not be read, when
 *   the rest can be
 * @property {() => unknown} [onQuiet] called when everything written so far has been taken; reading goes on when it has resolved
 */

/** Past lines of each file that are shown if no other number was requested: a stdout that is busy must not hide the last errors. */
export const DEFAULT_LINES = 15;

const POLL_MS = 200;
/** Apps may be started and deleted meanwhile. */
const UPDATE_MS = 2000;
/** Characters. */
const BATCH = 64 * 1024;
/** Marks are few among the other lines of their log. */
const MAX_BYTES_FOR_MARKS = 1024 * 1024;
const NO_PAST = Object.freeze({ lines: 0, sinceMs: null });

export class MergedLogs {
  #options;
  #startedMs = Date.now();
  /** By path. @type {Map<string, LogReader>} */
  #readers = new Map();
  /** Paths that are still listed; null: those given to open(). @type {Set<string> | null} */
  #paths = null;
  /** Paths that could not be read. @type {Set<string>} */
  #unreadable = new Set();

  /** @param {LogsOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @param {LogSource[]} sources
   * @returns {Promise<void>} resolves when the place to start is found in each of them
   * @throws {NodeclusterError} E_LOG_UNREADABLE, E_LOG_TIMELESS
   */
  async open(sources) {
    try {
      await this.#addAll(sources);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /**
   * @param {LogSource[]} sources the current ones. New ones are read from the time when this object
   *   was created; those that are no longer listed are read to their end
   */
  async update(sources) {
    this.#paths = new Set(sources.map(({ path }) => path));
    for (const source of sources) {
      const reader = this.#readers.get(source.path);
      if (reader) reader.source = source;
      else await this.#addLate(source);
    }
  }

  /** @param {() => Promise<LogSource[]>} fetchSources called every two seconds; while it fails, nothing changes */
  keepUpdated(fetchSources) {
    setTimeout(async () => {
      if (this.#options.signal?.aborted) return;
      await fetchSources().then(
        (sources) => this.update(sources),
        () => {},
      );
      this.keepUpdated(fetchSources);
    }, UPDATE_MS).unref();
  }

  /** @returns {boolean} whether no past entry was found */
  get isEmpty() {
    return this.#lineReaders.every(({ past }) => past.count === 0);
  }

  get #lineReaders() {
    return [...this.#readers.values()].filter(({ source }) => !source.hasMarks);
  }

  /** @returns {AsyncGenerator<Entry[]>} until the end of the logs, or the signal */
  async *batches() {
    const { follows, signal, onQuiet = () => {} } = this.#options;
    try {
      while (!signal?.aborted) {
        yield* this.#oneRound();
        if (!isQuiet([...this.#readers.values()])) continue;
        await onQuiet();
        if (!follows) break;
        await this.#removeUnlisted();
        await pause(POLL_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      await this.close();
    }
  }

  /** @returns {AsyncGenerator<Entry[]>} */
  async *#oneRound() {
    /** @type {Entry[]} */
    let batch = [];
    let characters = 0;
    for await (const entry of oneRound([...this.#readers.values()])) {
      batch.push(entry);
      characters += entry.message.length;
      if (characters < BATCH) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
    if (batch.length > 0) yield batch;
  }

  /** One that cannot be read, or has no times for --since, does not hide the others. @param {LogSource[]} sources */
  async #addAll(sources) {
    const { past, warn } = this.#options;
    /** @type {NodeclusterError[]} */
    const errors = [];
    for (const source of sources) {
      await this.#add(source, past).catch((error) => {
        errors.push(error);
        if (error.code === 'E_LOG_TIMELESS') return this.#add(source, NO_PAST);
        if (error.code !== 'E_LOG_UNREADABLE') throw error;
        this.#unreadable.add(source.path);
      });
    }
    const [first] = errors;
    const isUseful = (/** @type {LogReader} */ reader) =>
      first.code !== 'E_LOG_TIMELESS' || reader.past.hasTimes;
    if (first && !this.#lineReaders.some(isUseful)) throw first;
    for (const error of errors) warn(error);
  }

  /** @param {LogSource} source @param {Past} requested */
  async #add(source, requested) {
    const past = source.hasMarks ? { ...requested, maxBytes: MAX_BYTES_FOR_MARKS } : requested;
    const reader = await new LogReader(source, { ...this.#options, past }).open();
    this.#readers.set(source.path, reader);
  }

  /** @param {LogSource} source that was not given to open() */
  async #addLate(source) {
    const file = await statOf(source.path);
    const isNew = file === null || file.birthtimeMs >= this.#startedMs;
    try {
      const past = { lines: Infinity, sinceMs: isNew ? null : this.#startedMs };
      await this.#add(source, past).catch((error) => {
        if (error.code === 'E_LOG_TIMELESS') return this.#add(source, NO_PAST);
        throw error;
      });
    } catch (thrown) {
      const error = NodeclusterError.from(thrown);
      if (!this.#unreadable.has(source.path)) this.#options.warn(error);
      this.#unreadable.add(source.path);
    }
  }

  async #removeUnlisted() {
    for (const [path, reader] of this.#readers) {
      if (this.#paths?.has(path) ?? true) continue;
      this.#readers.delete(path);
      await reader.close();
    }
  }

  async close() {
    await Promise.all([...this.#readers.values()].map((reader) => reader.close()));
  }
}

/** After this many entries, readers that were empty are tried again. */
const ROUND = 10_000;

/**
 * @param {readonly LogReader[]} readers
 * @returns {AsyncGenerator<Entry>} the entries that they have now, up to ROUND
 */
export async function* oneRound(readers) {
  const empty = new Set();
  for (let count = 0; count < ROUND; count += 1) {
    for (const reader of readers) {
      if (reader.nextTime !== null || empty.has(reader)) continue;
      if (!(await reader.fill())) empty.add(reader);
    }
    const reader = earliest(readers);
    if (reader === null) return;
    yield reader.take();
  }
}

/**
 * @param {readonly LogReader[]} readers
 * @returns {boolean} whether everything written so far has been taken
 */
export function isQuiet(readers) {
  return readers.every((reader) => reader.isAtEnd && reader.nextTime === null);
}

/** If times are equal, the first reader wins. @param {readonly LogReader[]} readers */
function earliest(readers) {
  let first = null;
  let time = Infinity;
  for (const reader of readers) {
    const { nextTime } = reader;
    if (nextTime === null || (first !== null && nextTime >= time)) continue;
    first = reader;
    time = nextTime;
  }
  return first;
}
