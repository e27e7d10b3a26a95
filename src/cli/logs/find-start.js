/** Where to begin to read a log, so that what is wanted of its past follows. */
import { open } from 'node:fs/promises';
import { NodeclusterError } from '../../errors/error.js';
import { compressedPaths } from '../../shared/log-files/rotated-files.js';
import { LineSplitter } from './line-splitter.js';
import { linesBackward } from './lines-backward.js';
import { unzipped } from './rotated-chunks.js';

/**
 * @import { FileHandle } from 'node:fs/promises'
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { LogSource } from './log-source.js'
 */

/**
 * @typedef {object} Past
 * @property {number} lines at the most; may be Infinity
 * @property {number | null} sinceMs epoch
 * @property {number} [maxBytes] about so much is looked through for them; by default all there is
 *
 * @typedef {object} Start
 * @property {number | null} number of a rotated file; null: the present one
 * @property {number} offset bytes of its content, when it is compressed too
 * @property {number} count accepted lines from there to the end
 * @property {boolean} isTimed a line said its time
 * @property {number[]} damaged numbers of rotated files that cannot be read, nor their lines told
 */

const NEWLINE = Buffer.from('\n');
/** So many lines in a row that say no time: there is none to be found further back. */
const TIMELESS = 200;

/**
 * @param {LogSource} source
 * @param {{handle: FileHandle, size: number} | null} present
 * @param {RotatedFile[]} rotated the oldest first
 * @param {Past} past
 * @returns {Promise<Start>}
 * @throws {NodeclusterError} E_LOG_TIMELESS
 */
export async function findStart(source, present, rotated, past) {
  const search = new Search(source, past, present?.size ?? 0);
  if (past.lines === 0) return search.start;
  if (present) await search.backward(present.handle, present.size, null);
  for (const file of [...rotated].reverse()) {
    if (search.isDone) break;
    await searchRotated(search, file, past).catch((error) => search.leaveOut(file, error));
  }
  search.refuseTimeless();
  return search.start;
}

/**
 * @param {Search} search
 * @param {RotatedFile} file which may be compressed or removed at any moment
 * @param {Past} past
 */
async function searchRotated(search, { path, number, isCompressed }, { sinceMs }) {
  for (const each of isCompressed ? [path] : [path, compressedPaths(path).finished]) {
    const handle = await open(each).catch(() => null);
    if (handle === null) continue;
    try {
      const { mtimeMs, size } = await handle.stat();
      if (sinceMs !== null && mtimeMs < sinceMs) search.isDone = true;
      else if (each.endsWith('.gz')) await search.forward(each, number);
      else await search.backward(handle, size, number);
    } finally {
      await handle.close();
    }
    return;
  }
  search.isDone = true; // and so are all that are older
}

class Search {
  isDone = false;
  #source;
  #past;
  #timeless = 0;
  #lookedThrough = 0;

  /**
   * @param {LogSource} source
   * @param {Past} past
   * @param {number} end bytes of the present file
   */
  constructor(source, past, end) {
    this.#source = source;
    this.#past = past;
    /** @type {Start} */
    this.start = { number: null, offset: end, count: 0, isTimed: false, damaged: [] };
  }

  /**
   * @param {FileHandle} handle
   * @param {number} size
   * @param {number | null} number of the file
   */
  async backward(handle, size, number) {
    for await (const { offset, line } of linesBackward(handle, size)) {
      this.#lookThrough(line);
      const verdict = this.#judge(line);
      if (verdict === 'before') this.isDone = true;
      if (this.isDone) return;
      if (verdict === 'skip') continue;
      this.start = { ...this.start, number, offset, count: this.start.count + 1 };
      if (this.start.count === this.#past.lines) this.isDone = true;
      if (this.isDone) return;
    }
  }

  /**
   * A compressed file can only be read from its begin.
   * @param {string} path
   * @param {number} number
   */
  async forward(path, number) {
    const missing = this.#past.lines - this.start.count;
    /** Where the last of them begin. @type {number[]} */
    let offsets = [];
    let count = 0;
    for await (const { offset, line } of linesForward(path)) {
      this.#lookThrough(line);
      const verdict = this.#judge(line);
      if (verdict === 'before') this.isDone = true;
      if (verdict !== 'take') continue;
      count += 1;
      offsets.push(offset);
      if (offsets.length > 2 * missing + 1) offsets = offsets.slice(-missing);
      if (missing === Infinity) offsets.length = 1;
    }
    if (count === 0) return;
    const taken = Math.min(count, missing);
    const offset = missing === Infinity ? offsets[0] : offsets[offsets.length - taken];
    this.start = { ...this.start, number, offset, count: this.start.count + taken };
    if (this.start.count === this.#past.lines) this.isDone = true;
  }

  /**
   * One archive that is broken does not hide all others.
   * @param {RotatedFile} file
   * @param {NodeJS.ErrnoException} error
   */
  leaveOut({ number }, { code }) {
    if (code === 'ENOENT') this.isDone = true;
    else this.start.damaged.push(number);
  }

  /**
   * @throws {NodeclusterError} E_LOG_TIMELESS: times were asked for, and no line says one
   */
  refuseTimeless() {
    if (this.#past.sinceMs === null || this.start.isTimed || this.#timeless === 0) return;
    const { owner: app, path } = this.#source;
    throw new NodeclusterError('E_LOG_TIMELESS', { app, path });
  }

  /** @param {Buffer} line */
  #lookThrough(line) {
    this.#lookedThrough += line.length + 1;
    if (this.#lookedThrough > (this.#past.maxBytes ?? Infinity)) this.isDone = true;
  }

  /**
   * @param {Buffer} line
   * @returns {'take' | 'skip' | 'before'}
   */
  #judge(line) {
    const { sinceMs } = this.#past;
    const entry = this.#source.read(line.toString());
    if (entry.time === null) this.#timeless += 1;
    else this.#timeless = 0;
    if (entry.time !== null) this.start.isTimed = true;
    if (sinceMs !== null && this.#timeless > TIMELESS) return 'before';
    if (sinceMs !== null && entry.time !== null && entry.time < sinceMs) return 'before';
    return this.#source.accepts(entry) ? 'take' : 'skip';
  }
}

/**
 * @param {string} path of a compressed file
 * @returns {AsyncGenerator<{offset: number, line: Buffer}>}
 */
async function* linesForward(path) {
  const splitter = new LineSplitter();
  let offset = 0;
  for await (const chunk of unzipped(path)) {
    for (const line of splitter.push(chunk)) {
      yield { offset, line };
      offset += line.length + 1;
    }
  }
  if (splitter.isWithinLine) yield { offset, line: splitter.push(NEWLINE)[0] };
}
