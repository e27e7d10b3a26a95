/** Several logs, read side by side and written out as one, as fast as they are taken. */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { maskLine, maskText } from '../render/mask.js';
import { formatCount } from '../render/quantity.js';
import { LogReader } from './log-reader.js';
import { isQuiet, oneRound } from './merge.js';
import { statOf } from './current-file.js';

/**
 * @import { Past } from './find-start.js'
 * @import { Entry, LogSource } from './log-source.js'
 */

/**
 * @typedef {object} LogsOptions
 * @property {Past} past
 * @property {boolean} follows
 * @property {(text: string) => Promise<boolean>} write false: nobody reads any more
 * @property {(text: string) => void} note
 * @property {(entry: Entry) => string} render
 */

const LOOK_EVERY_MS = 200;
/** Characters that are written at a time. */
const BATCH = 64 * 1024;
const NO_PAST = Object.freeze({ lines: 0, sinceMs: null });

export class Logs {
  #options;
  #beganMs = Date.now();
  /** @type {Map<string, LogReader>} by path */
  #readers = new Map();
  /** @type {Map<LogReader, string>} */
  #owners = new Map();
  /** Entries of the past that are too many, by app. @type {Map<string, number>} */
  #surplus = new Map();

  /** Paths; null: of those that there were at first. @type {Set<string> | null} */
  #wanted = null;
  /** Paths that could not be read. @type {Set<string>} */
  #refused = new Set();

  /** @param {LogsOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @param {LogSource[]} sources
   * @returns {Promise<void>} when it is known where each of them begins
   * @throws {NodeclusterError} E_LOG_UNREADABLE, E_LOG_TIMELESS
   */
  async open(sources) {
    try {
      await this.#addAll(sources);
    } catch (error) {
      await this.#close();
      throw error;
    }
    for (const owner of new Set(this.#owners.values())) {
      this.#surplus.set(owner, this.#surplusOf(owner));
    }
  }

  /**
   * @param {LogSource[]} sources that there are now: of new ones all that is written since this
   *   began, of those that are gone only what is still unread
   */
  async update(sources) {
    this.#wanted = new Set(sources.map(({ path }) => path));
    for (const source of sources) {
      const reader = this.#readers.get(source.path);
      if (reader) reader.source = source;
      else await this.#addLate(source);
    }
  }

  /** @returns {Promise<number>} the exit code, when nothing follows or nobody reads any more */
  async show() {
    const { follows, note } = this.#options;
    const isEmpty = [...this.#readers.values()].every(({ past }) => past.count === 0);
    if (follows && isEmpty) note('Nothing to show yet. What comes is shown here; Ctrl-C ends it.');
    while (await this.#showRound()) {
      if (!isQuiet([...this.#readers.values()])) continue;
      if (!follows) break;
      await this.#leaveUnwanted();
      await pause(LOOK_EVERY_MS);
    }
    await this.#close();
    return 0;
  }

  /** @returns {Promise<boolean>} false: nobody reads any more */
  async #showRound() {
    const { render, write } = this.#options;
    const readers = [...this.#readers.values()];
    let text = '';
    for await (const { entry, reader } of oneRound(readers)) {
      if (this.#isSurplus(/** @type {LogReader} */ (reader))) continue;
      text += `${render(entry)}\n`;
      if (text.length < BATCH) continue;
      if (!(await write(text))) return false;
      text = '';
    }
    return text === '' || write(text);
  }

  /**
   * Lines that say no time are no reason not to show those of others that do.
   * @param {LogSource[]} sources
   */
  async #addAll(sources) {
    const { past, note } = this.#options;
    /** @type {NodeclusterError[]} */
    const timeless = [];
    for (const source of sources) {
      await this.#add(source, past).catch((error) => {
        if (error.code !== 'E_LOG_TIMELESS') throw error;
        timeless.push(error);
        return this.#add(source, NO_PAST);
      });
    }
    const isAnyTimed = [...this.#readers.values()].some((reader) => reader.past.isTimed);
    if (timeless.length > 0 && !isAnyTimed) throw timeless[0];
    for (const { message } of timeless) note(maskText(message));
  }

  /**
   * @param {LogSource} source
   * @param {Past} past
   */
  async #add(source, past) {
    const { follows, note } = this.#options;
    const { path, owner } = source;
    const onMissed = (/** @type {number} */ files) =>
      note(
        `${maskLine(owner)}: could not read ${formatCount(files, 'rotated log file')}: removed, or damaged.`,
      );
    const reader = await new LogReader(source, { past, follows, onMissed }).open();
    this.#readers.set(path, reader);
    this.#owners.set(reader, owner);
  }

  /** @param {LogSource} source that was not there when this began */
  async #addLate(source) {
    const file = await statOf(source.path);
    const isNew = file === null || file.birthtimeMs >= this.#beganMs;
    try {
      await this.#add(source, { lines: Infinity, sinceMs: isNew ? null : this.#beganMs });
    } catch (thrown) {
      const { code, message } = NodeclusterError.from(thrown);
      if (code === 'E_LOG_TIMELESS') return this.#add(source, NO_PAST);
      if (!this.#refused.has(source.path)) this.#options.note(maskText(message));
      this.#refused.add(source.path);
    }
  }

  async #leaveUnwanted() {
    for (const [path, reader] of this.#readers) {
      if (this.#wanted?.has(path) ?? true) continue;
      this.#readers.delete(path);
      this.#owners.delete(reader);
      await reader.close();
    }
  }

  async #close() {
    await Promise.all([...this.#readers.values()].map((reader) => reader.close()));
  }

  /**
   * Each file gives as many lines as were asked for of all files of the app together. Which of them
   * are the last can be told where all of them have times.
   * @param {string} owner
   */
  #surplusOf(owner) {
    const own = [...this.#owners].filter(([, name]) => name === owner);
    const pasts = own.map(([{ past }]) => past).filter(({ count }) => count > 0);
    const count = pasts.reduce((sum, past) => sum + past.count, 0);
    return pasts.every(({ isTimed }) => isTimed)
      ? Math.max(0, count - this.#options.past.lines)
      : 0;
  }

  /** @param {LogReader} reader whose entry comes next */
  #isSurplus(reader) {
    const owner = /** @type {string} */ (this.#owners.get(reader));
    const surplus = this.#surplus.get(owner) ?? 0;
    this.#surplus.set(owner, surplus - 1);
    return surplus > 0;
  }
}
