/** Finds where to start reading a log to get the requested past lines. */
import { NodeclusterError } from '../../errors/error.js';
import { LineSplitter } from '../../shared/line-splitter.js';
import { openRotated, unzipped } from './log-files.js';

/**
 * @import { FileHandle } from 'node:fs/promises'
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { LogSource } from './log-source.js'
 */

/**
 * @typedef {object} Past which past lines are requested
 * @property {number} lines at most; may be Infinity
 * @property {number | null} sinceMs epoch; null: of this life of the app
 * @property {number} [maxBytes] roughly how far to search back; unlimited by default
 *
 * @typedef {object} Start
 * @property {number | null} number of a rotated file; null: the current file
 * @property {number} offset bytes of its content, uncompressed
 * @property {number} count accepted lines from there to the end
 * @property {boolean} hasTimes at least one line has a time
 * @property {{file: RotatedFile, error: NodeJS.ErrnoException}[]} unreadable rotated files
 */

/** In bytes. The primary writes shorter lines, even as JSON: 256 KiB, escaped to at most six times that. */
export const MAX_LINE = 2 * 1024 * 1024;
export const NEWLINE = Buffer.from('\n');
const BLOCK = 64 * 1024;
/** After this many lines in a row without a time, the search for an older time ends. */
const MAX_LINES_WITHOUT_TIME = 200;

/**
 * @param {LogSource} source
 * @param {{handle: FileHandle, size: number} | null} current
 * @param {RotatedFile[]} rotated oldest first
 * @param {Past} past
 * @throws {NodeclusterError} E_LOG_TIMELESS
 */
export async function findStart(source, current, rotated, past) {
  const search = new Search(source, past, current?.size ?? 0);
  if (past.lines === 0) return search.start;
  if (current) await search.backward(current.handle, current.size, null);
  for (const file of [...rotated].reverse()) {
    if (search.isDone) break;
    await search.rotated(file).catch((error) => {
      // Deleted, so all older files are too.
      if (error.code === 'ENOENT') search.isDone = true;
      else search.start.unreadable.push({ file, error });
    });
  }
  search.assertHasTimes();
  return search.start;
}

class Search {
  isDone = false;
  #source;
  #past;
  #linesWithoutTime = 0;
  #searchedBytes = 0;
  /** What is before the last line is of a former life of the app. */
  #isBeginning = false;

  /** @param {LogSource} source @param {Past} past @param {number} end size of the current file in bytes */
  constructor(source, past, end) {
    this.#source = source;
    this.#past = past;
    /** @type {Start} */
    this.start = { number: null, offset: end, count: 0, hasTimes: false, unreadable: [] };
  }

  /** @param {RotatedFile} file may be compressed or deleted at any moment */
  async rotated(file) {
    const { handle, isCompressed } = await openRotated(file, this.#source.user ?? null);
    const { sinceMs } = this.#past;
    try {
      const { mtimeMs, size } = await handle.stat();
      if (sinceMs !== null && mtimeMs < sinceMs) this.isDone = true;
      else if (isCompressed) await this.#forward(handle, file.number);
      else await this.backward(handle, size, file.number);
    } finally {
      await handle.close();
    }
  }

  /** @param {FileHandle} handle @param {number} size @param {number | null} number of the file */
  async backward(handle, size, number) {
    for await (const { offset, line } of linesBackward(handle, size)) {
      const isAccepted = this.#accepts(line);
      if (this.isDone) return;
      if (isAccepted) this.#startAt(number, offset, 1);
      this.isDone ||= this.#isBeginning;
      if (this.isDone) return;
    }
  }

  /** A compressed file can be read only from its beginning. @param {FileHandle} handle @param {number} number */
  async #forward(handle, number) {
    const missing = this.#past.lines - this.start.count;
    /** Where the last accepted lines begin. @type {number[]} */
    let offsets = [];
    let count = 0;
    for await (const { offset, line } of linesForward(handle)) {
      const isAccepted = this.#accepts(line);
      if (this.#isBeginning) {
        this.isDone = true;
        offsets = [];
        count = 0;
      }
      if (!isAccepted) continue;
      count += 1;
      offsets.push(offset);
      if (offsets.length > 2 * missing + 1) offsets = offsets.slice(-missing);
      if (missing === Infinity) offsets.length = 1;
    }
    if (count === 0) return;
    const taken = Math.min(count, missing);
    this.#startAt(
      number,
      missing === Infinity ? offsets[0] : offsets[offsets.length - taken],
      taken,
    );
  }

  /** @throws {NodeclusterError} E_LOG_TIMELESS if sinceMs is set and no line has a time */
  assertHasTimes() {
    if (this.#past.sinceMs === null || this.start.hasTimes || this.#linesWithoutTime === 0) return;
    const { owner: app, path } = this.#source;
    throw new NodeclusterError('E_LOG_TIMELESS', { app, path });
  }

  /** @param {number | null} number @param {number} offset @param {number} count from there to the start before */
  #startAt(number, offset, count) {
    this.start = { ...this.start, number, offset, count: this.start.count + count };
    if (this.start.count === this.#past.lines) this.isDone = true;
  }

  /** A line that is too old or beyond maxBytes ends the search. @param {Buffer} line */
  #accepts(line) {
    const { sinceMs, maxBytes = Infinity } = this.#past;
    const entry = this.#source.read(line.toString());
    const { time } = entry;
    if (time !== null) this.start.hasTimes = true;
    this.#isBeginning = Boolean(entry.isCreation) && sinceMs === null && !this.#source.isShared;
    this.#linesWithoutTime = time === null ? this.#linesWithoutTime + 1 : 0;
    this.#searchedBytes += line.length + 1;
    const isTooOld =
      sinceMs !== null &&
      (this.#linesWithoutTime > MAX_LINES_WITHOUT_TIME || (time !== null && time < sinceMs));
    if (isTooOld || this.#searchedBytes > maxBytes) this.isDone = true;
    return !isTooOld && this.#source.accepts(entry);
  }
}

/** @param {FileHandle} handle of a compressed file */
async function* linesForward(handle) {
  const splitter = new LineSplitter(MAX_LINE);
  let offset = 0;
  for await (const chunk of unzipped(handle)) {
    for (const line of splitter.push(chunk)) {
      yield { offset, line };
      ({ offset } = splitter);
    }
  }
  if (splitter.isWithinLine) yield { offset, line: splitter.push(NEWLINE).next().value };
}

/**
 * Reads the lines of a file from its end, in blocks, so that memory use does not grow with it.
 * @param {FileHandle} handle
 * @param {number} size bytes of the file to read
 * @returns {AsyncGenerator<{offset: number, line: Buffer}>} the last line first, even if it has no newline; a line that is too
 *   long is truncated
 */
export async function* linesBackward(handle, size) {
  /** The line that began before the last block, truncated. @type {Buffer} */
  let rest = Buffer.alloc(0);
  for (let from = size; from > 0;) {
    const length = Math.min(BLOCK, from);
    from -= length;
    const block = await readBlock(handle, from, length);
    // The newline of the last line does not start another one.
    const isEnd = from + length === size && block.at(-1) === NEWLINE[0];
    const text = isEnd ? block.subarray(0, -1) : Buffer.concat([block, rest]);
    let end = text.length;
    for (let at; end > 0 && (at = text.lastIndexOf(NEWLINE, end - 1)) !== -1; end = at) {
      const start = at + 1;
      yield { offset: from + start, line: text.subarray(start, Math.min(end, start + MAX_LINE)) };
    }
    rest = text.subarray(0, Math.min(end, MAX_LINE));
  }
  if (size > 0) yield { offset: 0, line: rest };
}

/** Less if it was truncated meanwhile. @param {FileHandle} handle @param {number} position @param {number} length */
async function readBlock(handle, position, length) {
  const block = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(block, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}
