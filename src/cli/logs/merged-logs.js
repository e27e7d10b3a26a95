/** Reads several logs at once and merges them into one output, as fast as stdout accepts it. */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { maskLine, maskText } from '../render/mask.js';
import { formatCount } from '../render/quantity.js';
import { LogReader } from './log-reader.js';
import { isQuiet, oneRound } from './merge.js';
import { statOf } from './open-log-files.js';

/**
 * @import { Past } from './find-start.js'
 * @import { Entry, LogSource } from './log-source.js'
 */

/**
 * @typedef {object} LogsOptions
 * @property {Past} past
 * @property {boolean} follows
 * @property {(text: string) => Promise<boolean>} write false: the reader has closed the pipe
 * @property {(text: string) => void} note
 * @property {(entry: Entry) => string} render
 */

const POLL_MS = 200;
/** Characters per write. */
const BATCH = 64 * 1024;
const NO_PAST = Object.freeze({ lines: 0, sinceMs: null });

export class MergedLogs {
  #options;
  #startedMs = Date.now();
  /** By path. @type {Map<string, LogReader>} */
  #readers = new Map();
  /** How many past entries of each app to skip. @type {Map<string, number>} */
  #surplus = new Map();
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
      await this.#close();
      throw error;
    }
    for (const { owner } of sources) this.#surplus.set(owner, this.#surplusOf(owner));
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

  /** @returns {Promise<number>} the exit code, at the end of the logs or when the pipe is closed */
  async show() {
    const { follows, note } = this.#options;
    const isEmpty = [...this.#readers.values()].every(({ past }) => past.count === 0);
    if (follows && isEmpty) note('Waiting for new lines. Press Ctrl-C to stop.');
    while (await this.#showRound()) {
      if (!isQuiet([...this.#readers.values()])) continue;
      if (!follows) break;
      await this.#removeUnlisted();
      await pause(POLL_MS);
    }
    await this.#close();
    return 0;
  }

  /** @returns {Promise<boolean>} false: the reader has closed the pipe */
  async #showRound() {
    const { render, write } = this.#options;
    let text = '';
    for await (const { entry, reader } of oneRound([...this.#readers.values()])) {
      if (this.#isSurplus(reader.source.owner)) continue;
      text += `${render(entry)}\n`;
      if (text.length < BATCH) continue;
      if (!(await write(text))) return false;
      text = '';
    }
    return text === '' || write(text);
  }

  /**
   * Logs without times do not stop --since from showing those that have times.
   * @param {LogSource[]} sources
   */
  async #addAll(sources) {
    const { past, note } = this.#options;
    /** @type {NodeclusterError[]} */
    const errors = [];
    for (const source of sources) {
      await this.#add(source, past).catch((error) => {
        if (error.code !== 'E_LOG_TIMELESS') throw error;
        errors.push(error);
        return this.#add(source, NO_PAST);
      });
    }
    const hasTimes = [...this.#readers.values()].some((reader) => reader.past.hasTimes);
    if (errors.length > 0 && !hasTimes) throw errors[0];
    for (const { message } of errors) note(maskText(message));
  }

  /** @param {LogSource} source @param {Past} past */
  async #add(source, past) {
    const { follows, note } = this.#options;
    const owner = maskLine(source.owner);
    const onMissed = (/** @type {number} */ count) => {
      const files = formatCount(count, 'rotated log file');
      note(`${owner}: could not read ${files} (deleted or damaged).`);
    };
    const reader = await new LogReader(source, { past, follows, onMissed }).open();
    this.#readers.set(source.path, reader);
  }

  /** @param {LogSource} source that was not given to open() */
  async #addLate(source) {
    const file = await statOf(source.path);
    const isNew = file === null || file.birthtimeMs >= this.#startedMs;
    try {
      await this.#add(source, { lines: Infinity, sinceMs: isNew ? null : this.#startedMs });
    } catch (thrown) {
      const { code, message } = NodeclusterError.from(thrown);
      if (code === 'E_LOG_TIMELESS') return this.#add(source, NO_PAST);
      if (!this.#unreadable.has(source.path)) this.#options.note(maskText(message));
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

  async #close() {
    await Promise.all([...this.#readers.values()].map((reader) => reader.close()));
  }

  /**
   * Each file returns as many lines as were requested for all files of the app together, so the
   * oldest are skipped. Which ones these are is known only if all files have times.
   * @param {string} owner
   */
  #surplusOf(owner) {
    const pasts = [...this.#readers.values()]
      .filter(({ source, past }) => source.owner === owner && past.count > 0)
      .map(({ past }) => past);
    if (!pasts.every(({ hasTimes }) => hasTimes)) return 0;
    const count = pasts.reduce((sum, past) => sum + past.count, 0);
    return Math.max(0, count - this.#options.past.lines);
  }

  /** @param {string} owner of the next entry's log */
  #isSurplus(owner) {
    const surplus = this.#surplus.get(owner) ?? 0;
    this.#surplus.set(owner, surplus - 1);
    return surplus > 0;
  }
}
