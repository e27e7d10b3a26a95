/**
 * Reads the lines of one log from a point in its past to its end, then the lines that are added.
 * It notices rotation by the inode and truncation by the size, and waits for a file that does not
 * exist yet. It reads only on request and holds one chunk at a time.
 */
import { NodeclusterError } from '../../errors/error.js';
import { listRotated } from '../../shared/log-files/rotated-files.js';
import { findStart } from './find-start.js';
import { LineSplitter } from './lines.js';
import { numberOf, openLogFiles, rotatedChunks, statOf } from './log-files.js';

/**
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { Past } from './find-start.js'
 * @import { Entry, LogSource } from './log-source.js'
 * @import { CurrentFile } from './log-files.js'
 */

/**
 * @typedef {object} ReaderOptions
 * @property {Past} past
 * @property {boolean} follows false: it stops where the log ended when it was opened
 * @property {(files: number) => void} onMissed called with the number of rotated files that could
 *   not be read
 */

const NEWLINE = Buffer.from('\n');
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
  #splitter = new LineSplitter();
  /** Entries that were read but not yet taken; the next one is last. @type {Entry[]} */
  #entries = [];
  /** An entry without a time gets the time of the one before it. */
  #lastTime = -Infinity;
  /** Rotated files to read before the current one. @type {RotatedFile[]} */
  #rotated = [];
  /** The rest of the rotated file that is being read. @type {AsyncGenerator<Buffer> | null} */
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
      this.#reportMissed(start.damaged.length);
      this.#lastNumber = rotated.at(-1)?.number ?? 0;
      if (start.number !== null) {
        const readable = rotated.filter(({ number }) => !start.damaged.includes(number));
        this.#rotated = readable.filter(from(start.number));
        this.#skip = start.offset;
      } else if (current) {
        current.offset = start.offset;
      }
      return this;
    } catch (error) {
      await this.close();
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (error instanceof NodeclusterError || !code) throw error;
      throw new NodeclusterError('E_LOG_UNREADABLE', { file: this.source.path, reason: code });
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
      const lines = this.#splitter.push(chunk);
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
    for (;;) {
      if (this.#chunks === null) {
        const file = this.#rotated.shift();
        if (!file) return null;
        this.#chunks = rotatedChunks(file, this.#skip, this.source.user);
        this.#skip = 0;
      }
      const { value } = await this.#chunks.next().catch(() => {
        this.#reportMissed(1);
        return { value: undefined };
      });
      if (value) return value;
      this.#chunks = null;
      if (this.#splitter.isWithinLine) return NEWLINE;
    }
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
    this.#splitter = new LineSplitter();
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

  /** @param {number} files */
  #reportMissed(files) {
    if (files > 0) this.#options.onMissed(files);
  }
}

/** @type {Awaited<ReturnType<typeof openLogFiles>>} */
const NO_FILES = { current: null, rotated: [] };

/** @param {number} first */
function from(first) {
  return (/** @type {RotatedFile} */ { number }) => number >= first;
}
