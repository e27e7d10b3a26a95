/**
 * Reads several logs at once and merges their entries, as fast as these are taken, in the order of their times
 * as far as these are known.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { readLog } from './log-reader.js';
import { statOf } from './log-files.js';

/**
 * @import { Past, ReadOptions } from './log-reader.js'
 * @import { Entry, LogSource } from './log-source.js'
 *
 * @typedef {object} LogsOptions
 * @property {Past} past
 * @property {boolean} follows false: it stops where each log ended when it was opened
 * @property {AbortSignal} [signal] stops following
 * @property {(problem: NodeclusterError) => void} warn called about what could not be read, when
 *   the rest can be
 */

/** Past lines of each file that are shown if no other number was requested: a stdout that is busy must not hide the last errors. */
export const DEFAULT_LINES = 15;

/** ms after which logs that had nothing more are looked at again. */
const ROUND_MS = 200;
/** Apps may be started and deleted meanwhile. */
const UPDATE_MS = 2000;
/** Characters. */
const BATCH = 64 * 1024;
/** Chunks without an accepted line, after which other logs get their turn. */
const MAX_CHUNKS = 1000;

/** @typedef {ReturnType<typeof makeReader>} Reader */

export class MergedLogs {
  #options;
  #startedMs = Date.now();
  /** By path. @type {Map<string, Reader>} */
  #readers = new Map();
  /** Paths that are no longer listed. @type {string[]} */
  #unlisted = [];

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

  /**
   * @param {LogSource[]} sources the current ones. New ones are read from the time when this object
   *   was created; those that are no longer listed are read to their end
   */
  async update(sources) {
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
    const reader = makeReader(source, { ...this.#options, past: { ...past, lines } });
    this.#readers.set(path, reader);
    await reader.batches.next().catch((error) => onError(NodeclusterError.from(error)));
  }

  /** @param {() => Promise<LogSource[]>} fetchSources called every two seconds; while it fails, nothing changes */
  keepUpdated(fetchSources) {
    setTimeout(async () => {
      if (this.#options.signal?.aborted) return;
      const sources = await fetchSources().catch(() => null);
      if (sources) await this.update(sources);
      this.keepUpdated(fetchSources);
    }, UPDATE_MS).unref();
  }

  /**
   * @returns {AsyncGenerator<Entry[]>} until the end of the logs, or the signal; an empty one after each round, when all
   *   was taken or has taken long
   */
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
    await Promise.all([...this.#readers.values()].map(({ batches }) => batches.return()));
  }
}

/** @param {LogSource} listed @param {ReadOptions} options */
function makeReader(listed, options) {
  const source = { ...listed };
  /** Those that were read but not yet taken; the next one is last. @type {Entry[]} */
  const entries = [];
  // An entry without a time gets the time of the one before it.
  return {
    source,
    batches: readLog(source, options),
    entries,
    lastTime: -Infinity,
    isAtEnd: false,
  };
}

/** @param {readonly Reader[]} readers @returns {AsyncGenerator<Entry[]>} what they have now, or can read in that time */
async function* oneRound(readers) {
  const end = performance.now() + ROUND_MS;
  const empty = new Set();
  for (let reader; reader !== null && performance.now() < end;) {
    /** @type {Entry[]} */
    const batch = [];
    for (
      let characters = 0;
      characters < BATCH;
      characters += batch[batch.length - 1].message.length
    ) {
      for (const each of readers) {
        if (each.entries.length === 0 && !empty.has(each) && !(await fill(each))) empty.add(each);
      }
      reader = earliest(readers);
      if (reader === null) break;
      const entry = /** @type {Entry} */ (reader.entries.pop());
      reader.lastTime = entry.time ?? reader.lastTime;
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
