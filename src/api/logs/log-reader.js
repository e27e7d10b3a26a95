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
  /** Of which the last line, or the one that its indented lines follow, was accepted. @type {Set<string>} */
  #writers = new Set();
  /** An entry without a time gets the time of the one before it. */
  #lastTime = -Infinity;
  /** Rotated files to read before the current one. @type {RotatedFile[]} */
  #rotated = [];
  /** Bytes to skip in the first of them. */
  #skip = 0;
  /** @type {CurrentFile | null} */
  #current = null;
  /** Rotated files up to this number are read, queued or skipped. */
  #lastNumber = 0;
  #chunks = this.#read();

  /** @param {LogSource} source @param {Pick<LogsOptions, 'past' | 'follows' | 'warn'>} options */
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
      const chunk = (await this.#chunks.next()).value ?? null;
      this.isAtEnd = chunk === null;
      if (chunk === null) return false;
      bytes += chunk.length;
      const lines = [...this.#splitter.push(chunk)];
      const entries = lines.map((line) => this.source.read(line.toString()));
      this.#entries = entries.filter((entry) => this.#accepts(entry)).reverse();
    }
    return this.#entries.length > 0;
  }

  /** Also what belongs to a line that matches: the indented lines of a stack. @param {Entry} entry */
  #accepts(entry) {
    const { app, worker, stream, message } = entry;
    const writer = [app, worker, stream].join(':');
    const isAccepted = this.source.accepts(entry);
    const isRest = !isAccepted && /^[\s}\]]/.test(message) && this.#writers.has(writer);
    if (isAccepted) this.#writers.add(writer);
    else if (!isRest) this.#writers.delete(writer);
    return isAccepted || isRest;
  }

  async close() {
    await this.#chunks.return(null);
    await this.#current?.handle.close();
    this.#current = null;
  }

  /** @returns {AsyncGenerator<Buffer | null, null>} null: nothing more for now */
  async *#read() {
    for (;;) {
      for (; this.#rotated.length > 0; this.#rotated.shift()) yield* this.#readRotated();
      if (this.#current) yield* this.#readCurrent(this.#current);
      if (this.#splitter.isWithinLine) yield NEWLINE;
      if (!this.#options.follows) return null;
      while (!(await this.#openNext())) yield null;
    }
  }

  async *#readRotated() {
    const [file] = this.#rotated;
    try {
      yield* rotatedChunks(file, this.#skip, this.source.user);
    } catch (error) {
      this.#reportUnreadable(file, /** @type {NodeJS.ErrnoException} */ (error));
    }
    this.#skip = 0;
    if (this.#splitter.isWithinLine) yield NEWLINE;
  }

  /** @param {CurrentFile} current until another file follows, or else until the size that it had */
  async *#readCurrent(current) {
    const { follows } = this.#options;
    for (;;) {
      const { handle, offset, size } = current;
      const length = follows ? CHUNK : Math.min(CHUNK, size - offset);
      if (length <= 0) return;
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(length),
        0,
        length,
        offset,
      );
      current.offset += bytesRead;
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      else if (!follows) return;
      else if (await this.#isFollowed(current)) return this.#leave(current);
      else yield null;
    }
  }

  /** @param {CurrentFile} current that has been read to its end @returns {Promise<boolean>} whether another file follows */
  async #isFollowed(current) {
    const { handle, inode, offset } = current;
    const found = await statOf(this.source.path);
    if (found === null) return false;
    if (found.ino !== inode) {
      // The old file may still grow until the new one does.
      const isReplaced = found.size > 0 || (await this.#newlyRotated()).length > 0;
      return isReplaced && (await handle.stat()).size <= offset;
    }
    if (found.size >= offset) return false;
    // The file was emptied and its rotated files were deleted, so their numbers start again.
    this.#splitter = new LineSplitter(MAX_LINE);
    current.offset = 0;
    this.#lastNumber = (await listRotated(this.source.path)).at(-1)?.number ?? 0;
    return false;
  }

  /** @param {CurrentFile} current */
  async #leave({ handle, inode }) {
    const files = await this.#newlyRotated();
    const own = await numberOf(inode, files);
    const [first] = files;
    // A compressed file has another inode; a file that another program rotated is not in the list.
    const guess = this.#lastNumber === 0 && first ? first.number : this.#lastNumber + 1;
    if (first) this.#lastNumber = own ?? guess;
    this.#current = null;
    await handle.close();
  }

  /** @returns {Promise<boolean>} false: there is no file yet */
  async #openNext() {
    const files = await openLogFiles(this.source).catch(() => null);
    const { current, rotated } = files ?? { current: null, rotated: [] };
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

/** @param {number} first */
function from(first) {
  return (/** @type {RotatedFile} */ { number }) => number >= first;
}
