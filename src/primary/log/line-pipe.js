/**
 * Passes a worker's stdout or stderr on in whole lines, so that those of different workers never mix, or in pieces of one
 * that is too long or late. A worker that writes faster than the disk is slowed by its own pipe.
 */

/** @import { Readable } from 'node:stream' */

const NEWLINE = 0x0a;
/** Bytes. A longer line is split into pieces that say so. */
const MAX_LINE = 256 * 1024;
/** So that a prompt, or the last word before a hang, is in the log although its line has no end. */
const MAX_WAIT_MS = 1000;

/**
 * @typedef {object} Sink
 * @property {(lines: Buffer, goesOn: boolean) => boolean} write of whole lines; `goesOn`: the first
 *   continues the line before. False: pause until it is `drained`
 * @property {() => Promise<void>} drained
 */

/** Passes on as many whole lines at a time as a chunk completes. */
export class LinePipe {
  /** Resolves when the stream has ended and everything is passed on. @type {Promise<void>} */
  ended;
  #stream;
  #sink;
  /** The unfinished line. @type {Buffer[]} */
  #pieces = [];
  #bytes = 0;
  #goesOn = false;
  /** Runs while a line is unfinished. @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {Readable} stream @param {Sink} sink @param {(chunk: Buffer) => Buffer} [filter] returns what is passed on */
  constructor(stream, sink, filter = (chunk) => chunk) {
    this.#stream = stream;
    this.#sink = sink;
    stream.on('data', (/** @type {Buffer} */ chunk) => this.#add(filter(chunk)));
    stream.once('error', () => {});
    const closed = new Promise((resolve) => stream.once('close', resolve));
    this.ended = closed.then(() => this.endLine());
  }

  /** Passes on an unfinished line as if it had ended here. */
  endLine() {
    if (this.#bytes > 0) this.#emit(Buffer.concat([...this.#takePieces(), Buffer.of(NEWLINE)]));
  }

  /** @param {Buffer} chunk */
  #add(chunk) {
    // The rest of a line of which everything else is passed on: no empty piece.
    if (this.#goesOn && this.#bytes === 0 && chunk[0] === NEWLINE) {
      this.#goesOn = false;
      chunk = chunk.subarray(1);
    }
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const lines = chunk.subarray(0, end);
      this.#emit(this.#bytes > 0 ? Buffer.concat([...this.#takePieces(), lines]) : lines);
    }
    if (end < chunk.length) this.#buffer(chunk.subarray(end));
    while (this.#bytes > MAX_LINE) this.#split();
  }

  #split() {
    const line = Buffer.concat(this.#takePieces());
    const end = lengthOfWholeCharacters(line.subarray(0, MAX_LINE));
    this.#emit(Buffer.concat([line.subarray(0, end), Buffer.of(NEWLINE)]));
    this.#goesOn = true;
    if (end < line.length) this.#buffer(line.subarray(end));
  }

  /** @param {Buffer} lines */
  #emit(lines) {
    const goesOn = this.#goesOn;
    this.#goesOn = false;
    const stream = this.#stream;
    if (this.#sink.write(lines, goesOn) || stream.isPaused()) return;
    stream.pause();
    void this.#sink.drained().then(() => stream.resume());
  }

  /** @param {Buffer} piece */
  #buffer(piece) {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#timer ??= this.#startTimer();
  }

  #startTimer() {
    return setTimeout(() => {
      // Its rest may have been written, but is not read.
      if (this.#stream.isPaused()) this.#timer = this.#startTimer();
      else this.#split();
    }, MAX_WAIT_MS).unref();
  }

  #takePieces() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#bytes = 0;
    return this.#pieces.splice(0);
  }
}

/** @param {Buffer} text @returns {number} without the UTF-8 character whose end is missing, unless that is all */
function lengthOfWholeCharacters(text) {
  for (let at = text.length - 1; at >= 0 && at > text.length - 4; at--) {
    const first = text[at];
    if ((first & 0xc0) === 0x80) continue;
    const bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return at > 0 && at + bytes > text.length ? at : text.length;
  }
  return text.length;
}
