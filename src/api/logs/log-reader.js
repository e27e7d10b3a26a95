/**
 * Reads the lines of one log from a point in its past to its end, then the lines that are added.
 * It notices rotation by the inode and truncation by the size, and waits for a file that does not
 * exist yet. It reads only on request and holds one chunk at a time.
 */
import { NodeclusterError } from '../../errors/error.js';
import { listRotated } from '../../shared/log-files/rotated-files.js';
import { LineSplitter } from '../../shared/line-splitter.js';
import { MAX_LINE, NEWLINE, findStart } from './find-start.js';
import { numberOf, openLogFiles, rotatedChunks, statOf } from './log-files.js';

/**
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { Entry, LogSource } from './log-source.js'
 * @import { CurrentFile } from './log-files.js'
 * @import { LogsOptions } from './merged-logs.js'
 */

/** @typedef {Pick<LogsOptions, 'past' | 'follows' | 'warn'>} ReaderOptions */

const CHUNK = 64 * 1024;
/** After this many bytes without an accepted line, other logs get their turn. */
const MAX_FILL = 4 * 1024 * 1024;

export class LogReader {
  /** How many past lines it will return, and whether any line has a time. */
  past = { count: 0, hasTimes: false };
  /** Whether the last fill() reached the end of the log. */
  isAtEnd = false;
  /** May be replaced by another source of the same path. @type {LogSource} */
  source;
  #options;
  #splitter = new LineSplitter(MAX_LINE);
  /** Entries that were read but not yet taken; the next one is last. @type {Entry[]} */
  #entries = [];
  /** An entry without a time gets the time of the one before it. */
  #lastTime = -Infinity;
  /** Rotated files to read before the current one, the one that is being read included. @type {RotatedFile[]} */
  #rotated = [];
  /** The rest of the first of them. @type {AsyncGenerator<Buffer> | null} */
  #chunks = null;
  /** Bytes to skip in the next rotated file. */
  #skip = 0;
  /** @type {CurrentFile | null} */
  #current = null;
  /** Rotated files up to this number are read, queued or skipped. */
  #lastNumber = 0;

  /** @param {LogSource} source @param {ReaderOptions} options */
  constructor(source, options) {
    this.source = source;
    this.#options = options;
  }

  /**
   * @returns {Promise<this>} resolves when the place to start is found
   * @throws {NodeclusterError} E_LOG_UNREADABLE, E_LOG_TIMELESS
   */
  async open() {
    try {
      const { current, rotated } = await openLogFiles(this.source);
      this.#current = current;
      const start = await findStart(this.source, current, rotated, this.#options.past);
      this.past = start;
      for (const { file, error } of start.unreadable) this.#reportUnreadable(file, error);
      this.#lastNumber = rotated.at(-1)?.number ?? 0;
      if (start.number !== null) {
        const unreadable = start.unreadable.map(({ file }) => file);
        this.#rotated = rotated
          .filter(from(start.number))
          .filter((file) => !unreadable.includes(file));
        this.#skip = start.offset;
      } else if (current) {
        current.offset = start.offset;
      }
      return this;
    } catch (error) {
      await this.close();
      throw unreadable(this.source.path, /** @type {NodeJS.ErrnoException} */ (error));
    }
  }

  /** @returns {number | null} the time of the next entry, as far as known; null: none is buffered */
  get nextTime() {
    const next = this.#entries.at(-1);
    return next ? (next.time ?? this.#lastTime) : null;
  }

  /** @returns {Entry} the next one; call it only if nextTime is not null */
  take() {
    const entry = /** @type {Entry} */ (this.#entries.pop());
    this.#lastTime = entry.time ?? this.#lastTime;
    return entry;
  }

  /** @returns {Promise<boolean>} whether there is an entry to take */
  async fill() {
    for (let bytes = 0; this.#entries.length === 0 && bytes < MAX_FILL;) {
      const chunk = await this.#nextChunk();
      this.isAtEnd = chunk === null;
      if (chunk === null) return false;
      bytes += chunk.length;
      const lines = [...this.#splitter.push(chunk)];
      const entries = lines.map((line) => this.source.read(line.toString()));
      this.#entries = entries.filter(this.source.accepts).reverse();
    }
    return this.#entries.length > 0;
  }

  async close() {
    await this.#chunks?.return(undefined);
    await this.#current?.handle.close();
    this.#current = null;
  }

  /** @returns {Promise<Buffer | null>} null: nothing more for now */
  async #nextChunk() {
    const { follows } = this.#options;
    for (;;) {
      const chunk = (await this.#rotatedChunk()) ?? (await this.#currentChunk());
      if (chunk !== null) return chunk;
      const next = follows ? await this.#checkFiles() : 'end';
      if (next === 'wait') return null;
      if (next === 'end' && this.#splitter.isWithinLine) return NEWLINE;
      if (!follows) return null;
    }
  }

  async #rotatedChunk() {
    while (this.#rotated.length > 0) {
      const [file] = this.#rotated;
      this.#chunks ??= rotatedChunks(file, this.#skip, this.source.user);
      const { value } = await this.#chunks.next().catch((error) => {
        this.#reportUnreadable(file, error);
        return { value: undefined };
      });
      if (value) return value;
      this.#rotated.shift();
      this.#chunks = null;
      this.#skip = 0;
      if (this.#splitter.isWithinLine) return NEWLINE;
    }
    return null;
  }

  async #currentChunk() {
    if (this.#current === null) return null;
    const { handle, offset, size } = this.#current;
    const length = this.#options.follows ? CHUNK : Math.min(CHUNK, size - offset);
    if (length <= 0) return null;
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
    this.#current.offset += bytesRead;
    return bytesRead > 0 ? buffer.subarray(0, bytesRead) : null;
  }

  /**
   * Looks for a next file, after everything written so far has been read.
   * @returns {Promise<'wait' | 'more' | 'end'>} end: this file is read, and another one follows
   */
  async #checkFiles() {
    const { path } = this.source;
    if (this.#current === null) return (await this.#openNext()) ? 'more' : 'wait';
    const found = await statOf(path);
    if (found === null) return 'wait';
    const { inode, offset } = this.#current;
    if (found.ino !== inode) {
      // The old file may still grow until the new one does.
      const isReplaced = found.size > 0 || (await this.#newlyRotated()).length > 0;
      return isReplaced ? this.#leaveCurrent(this.#current) : 'wait';
    }
    if (found.size >= offset) return 'wait';
    // The file was emptied and its rotated files were deleted, so their numbers start again.
    this.#splitter = new LineSplitter(MAX_LINE);
    this.#current.offset = 0;
    this.#lastNumber = (await listRotated(path)).at(-1)?.number ?? 0;
    return 'more';
  }

  /**
   * @param {CurrentFile} current
   * @returns {Promise<'more' | 'end'>} more: there is still something to read in it
   */
  async #leaveCurrent({ handle, inode, offset }) {
    const { size } = await handle.stat();
    if (size > offset) return 'more';
    const files = await this.#newlyRotated();
    const own = await numberOf(inode, files);
    const [first] = files;
    // A compressed file has another inode; a file that another program rotated is not in the list.
    const guess = this.#lastNumber === 0 && first ? first.number : this.#lastNumber + 1;
    if (first) this.#lastNumber = own ?? guess;
    await handle.close();
    this.#current = null;
    return 'end';
  }

  /** @returns {Promise<boolean>} false: there is no file yet */
  async #openNext() {
    const { current, rotated } = await openLogFiles(this.source).catch(() => NO_FILES);
    this.#current = current;
    this.#rotated = rotated.filter(from(this.#lastNumber + 1));
    const [next] = this.#rotated;
    if (next && this.#lastNumber > 0) this.#reportMissed(next.number - this.#lastNumber - 1);
    this.#lastNumber = this.#rotated.at(-1)?.number ?? this.#lastNumber;
    return current !== null || next !== undefined;
  }

  async #newlyRotated() {
    return (await listRotated(this.source.path)).filter(from(this.#lastNumber + 1));
  }

  /** @param {RotatedFile} file @param {NodeJS.ErrnoException} error */
  #reportUnreadable({ path }, error) {
    const isMissing = error.code === 'ENOENT' || error.code?.startsWith('Z_');
    if (isMissing) this.#reportMissed(1);
    else this.#options.warn(unreadable(path, error));
  }

  /** @param {number} files that are deleted or damaged */
  #reportMissed(files) {
    const { owner: app } = this.source;
    if (files > 0) this.#options.warn(new NodeclusterError('E_LOG_MISSED', { app, files }));
  }
}

/** @param {string} file @param {NodeJS.ErrnoException} error */
function unreadable(file, error) {
  if (error instanceof NodeclusterError || !error.code) return NodeclusterError.from(error);
  return new NodeclusterError('E_LOG_UNREADABLE', { file, reason: error.code });
}

/** @type {Awaited<ReturnType<typeof openLogFiles>>} */
const NO_FILES = { current: null, rotated: [] };

/** @param {number} first */
function from(first) {
  return (/** @type {RotatedFile} */ { number }) => number >= first;
}
