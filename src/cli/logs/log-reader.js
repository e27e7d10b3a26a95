/**
 * Reads the lines of one log from a place in its past to its end, and what is written to it
 * afterwards: over rotations, which are told by the inode; after the file was emptied, which is told
 * by its size; and when it appears only later. It reads when asked and holds one chunk at a time.
 */
import { NodeclusterError } from '../../errors/error.js';
import { listRotated } from '../../shared/log-files/rotated-files.js';
import { findStart } from './find-start.js';
import { LineSplitter } from './line-splitter.js';
import { numberOf, statOf, survey } from './current-file.js';
import { rotatedChunks } from './rotated-chunks.js';

/**
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { Present } from './current-file.js'
 * @import { Past } from './find-start.js'
 * @import { Entry, LogSource } from './log-source.js'
 */

/**
 * @typedef {object} ReaderOptions
 * @property {Past} past
 * @property {boolean} follows false: it ends where the log ends when it is opened
 * @property {(files: number) => void} onMissed called when rotated files could not be read
 */

const NEWLINE = Buffer.from('\n');
const CHUNK = 64 * 1024;
/** Bytes without a line to show, after which others get their turn. */
const TURN = 4 * 1024 * 1024;

export class LogReader {
  /** How many lines of the past it will give, and whether a line said its time. */
  past = { count: 0, isTimed: false };
  /** Whether it came to the end of the log when it was asked last. */
  isAtEnd = false;
  /** @type {LogSource} how lines look, and which are wanted, may change; the path stays */
  source;
  #options;
  #splitter = new LineSplitter();
  /** @type {Entry[]} read and not yet taken, the next one last */
  #entries = [];
  /** Of an entry that says none, the time is that of the one before. */
  #lastTime = -Infinity;
  /** Rotated files to read before the present one. @type {RotatedFile[]} */
  #rotated = [];
  /** @type {AsyncGenerator<Buffer> | null} */
  #chunks = null;
  /** Bytes to leave out of the next file. */
  #skip = 0;
  /** @type {Present | null} */
  #present = null;
  /** The number of the last rotated file that is read, or needs not be. */
  #lastNumber = 0;

  /**
   * @param {LogSource} source
   * @param {ReaderOptions} options
   */
  constructor(source, options) {
    this.source = source;
    this.#options = options;
  }

  /**
   * @returns {Promise<this>} when it is known where to begin
   * @throws {NodeclusterError} E_LOG_UNREADABLE, E_LOG_TIMELESS
   */
  async open() {
    try {
      const { present, rotated } = await survey(this.source.path);
      this.#present = present;
      const start = await findStart(this.source, present, rotated, this.#options.past);
      this.past = start;
      this.#missed(start.damaged.length);
      const whole = rotated.filter(({ number }) => !start.damaged.includes(number));
      this.#rotated = start.number === null ? [] : whole.filter(from(start.number));
      this.#lastNumber = rotated.at(-1)?.number ?? 0;
      if (start.number !== null) this.#skip = start.offset;
      else if (present) present.offset = start.offset;
      return this;
    } catch (error) {
      await this.close();
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (error instanceof NodeclusterError || !code) throw error;
      throw new NodeclusterError('E_LOG_UNREADABLE', { file: this.source.path, reason: code });
    }
  }

  /** @returns {number | null} the time of the next entry, as far as known; null: there is none */
  get nextTime() {
    const next = this.#entries.at(-1);
    return next ? (next.time ?? this.#lastTime) : null;
  }

  /** @returns {Entry} the next; only when nextTime is not null */
  take() {
    const entry = /** @type {Entry} */ (this.#entries.pop());
    this.#lastTime = entry.time ?? this.#lastTime;
    return entry;
  }

  /** @returns {Promise<boolean>} whether there is an entry to take */
  async fill() {
    for (let bytes = 0; this.#entries.length === 0 && bytes < TURN;) {
      const chunk = await this.#nextChunk();
      this.isAtEnd = chunk === null;
      if (chunk === null) return false;
      bytes += chunk.length;
      this.#read(this.#splitter.push(chunk));
    }
    return this.#entries.length > 0;
  }

  async close() {
    await this.#chunks?.return(undefined);
    await this.#present?.handle.close();
    this.#present = null;
  }

  /** @param {Buffer[]} lines */
  #read(lines) {
    const entries = lines.map((line) => this.source.read(line.toString()));
    this.#entries = entries.filter(this.source.accepts).reverse();
  }

  /** @returns {Promise<Buffer | null>} null: there is nothing more now */
  async #nextChunk() {
    const { follows } = this.#options;
    for (;;) {
      const chunk = (await this.#rotatedChunk()) ?? (await this.#presentChunk());
      if (chunk !== null) return chunk;
      const step = follows ? await this.#turnPage() : 'end';
      if (step === 'wait') return null;
      if (step === 'end' && this.#splitter.isWithinLine) return NEWLINE;
      if (!follows) return null;
    }
  }

  /** @returns {Promise<Buffer | null>} of the rotated files that come first */
  async #rotatedChunk() {
    for (;;) {
      if (this.#chunks === null) {
        const file = this.#rotated.shift();
        if (!file) return null;
        this.#chunks = rotatedChunks(file, this.#skip);
        this.#skip = 0;
      }
      const { value } = await this.#chunks.next().catch(() => this.#missed(1));
      if (value) return value;
      this.#chunks = null;
      if (this.#splitter.isWithinLine) return NEWLINE;
    }
  }

  /** @returns {Promise<Buffer | null>} */
  async #presentChunk() {
    if (this.#present === null) return null;
    const { handle, offset, size } = this.#present;
    const most = this.#options.follows ? CHUNK : Math.min(CHUNK, size - offset);
    if (most <= 0) return null;
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(most), 0, most, offset);
    this.#present.offset += bytesRead;
    return bytesRead > 0 ? buffer.subarray(0, bytesRead) : null;
  }

  /**
   * All that was there is read.
   * @returns {Promise<'wait' | 'more' | 'end'>} end: nothing will come to that file any more
   */
  async #turnPage() {
    const { path } = this.source;
    if (this.#present === null) return (await this.#openNext()) ? 'more' : 'wait';
    const found = await statOf(path);
    if (found === null) return 'wait';
    const { inode, offset } = this.#present;
    if (found.ino !== inode) {
      // Only that another is written to tells that this one is not.
      const isLeft = found.size > 0 || (await this.#newlyRotated()).length > 0;
      return isLeft ? this.#leavePresent(this.#present) : 'wait';
    }
    if (found.size >= offset) return 'wait';
    // It was emptied, and with it what was rotated: numbers begin anew.
    this.#splitter = new LineSplitter();
    this.#present.offset = 0;
    this.#lastNumber = (await listRotated(path)).at(-1)?.number ?? 0;
    return 'more';
  }

  /**
   * @param {Present} present
   * @returns {Promise<'more' | 'end'>} more: what came to it until it was left
   */
  async #leavePresent({ handle, inode, offset }) {
    const { size } = await handle.stat();
    if (size > offset) return 'more';
    const files = await this.#newlyRotated();
    const own = await numberOf(inode, files);
    const [first] = files;
    // It has another inode when it is compressed, and is none of these when others rotate.
    const guess = this.#lastNumber === 0 && first ? first.number : this.#lastNumber + 1;
    if (first) this.#lastNumber = own ?? guess;
    await handle.close();
    this.#present = null;
    return 'end';
  }

  /** @returns {Promise<boolean>} false: there is nothing yet */
  async #openNext() {
    const { present, rotated } = await survey(this.source.path).catch(() => NOTHING);
    this.#present = present;
    this.#rotated = rotated.filter(from(this.#lastNumber + 1));
    const [next] = this.#rotated;
    if (next && this.#lastNumber > 0) this.#missed(next.number - this.#lastNumber - 1);
    this.#lastNumber = this.#rotated.at(-1)?.number ?? this.#lastNumber;
    return present !== null || next !== undefined;
  }

  async #newlyRotated() {
    return (await listRotated(this.source.path)).filter(from(this.#lastNumber + 1));
  }

  /** @param {number} files */
  #missed(files) {
    if (files > 0) this.#options.onMissed(files);
    return { value: undefined };
  }
}

/** @type {Awaited<ReturnType<typeof survey>>} */
const NOTHING = { present: null, rotated: [] };

/** @param {number} least */
function from(least) {
  return (/** @type {RotatedFile} */ { number }) => number >= least;
}
