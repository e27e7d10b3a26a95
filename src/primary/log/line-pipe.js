/**
 * Passes a worker's stdout or stderr to its log, in whole lines only, so that lines of different
 * workers never mix. A line that is too long, or not complete in time, is passed on in pieces. A
 * worker that writes faster than the disk is slowed by its own pipe.
 */
import { within } from '../../shared/deadline.js';

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
 *
 * @typedef {object} LinePipe
 * @property {Promise<void>} ended when the stream has ended and everything is passed on
 * @property {() => void} endLine passes on an unfinished line as if it had ended here
 */

/**
 * @param {Readable} stream
 * @param {Sink} sink
 * @param {(chunk: Buffer) => Buffer} [filter] returns what of each chunk is passed on
 * @returns {LinePipe}
 */
export function pipeLines(stream, sink, filter = (chunk) => chunk) {
  const pass = (/** @type {Buffer} */ lines, /** @type {boolean} */ goesOn) => {
    if (sink.write(lines, goesOn) || stream.isPaused()) return;
    stream.pause();
    void sink.drained().then(() => stream.resume());
  };
  const splitter = new LineSplitter(pass, () => stream.isPaused());
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    splitter.add(filter(chunk));
  });
  stream.once('error', () => {});
  const closed = new Promise((resolve) => stream.once('close', resolve));
  return { ended: closed.then(() => splitter.end()), endLine: () => splitter.end() };
}

/** Passes on as many whole lines at a time as a chunk completes. */
class LineSplitter {
  /** The unfinished line. @type {Buffer[]} */
  #pieces = [];
  #bytes = 0;
  #goesOn = false;
  /** Runs while a line is unfinished. @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {(lines: Buffer, goesOn: boolean) => void} onLines
   * @param {() => boolean} isPaused the rest of the line may have been written, but is not read
   */
  constructor(onLines, isPaused) {
    this.onLines = onLines;
    this.isPaused = isPaused;
  }

  /** @param {Buffer} chunk */
  add(chunk) {
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

  /** Adds the missing newline to an unfinished line. */
  end() {
    if (this.#bytes > 0) this.#emit(Buffer.concat([...this.#takePieces(), Buffer.of(NEWLINE)]));
  }

  #onLate() {
    if (this.isPaused()) {
      this.#timer = this.#startTimer();
      return;
    }
    this.#split();
  }

  /** Passes on a piece of the unfinished line. */
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
    this.onLines(lines, goesOn);
  }

  /** @param {Buffer} piece */
  #buffer(piece) {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#timer ??= this.#startTimer();
  }

  #startTimer() {
    return setTimeout(() => this.#onLate(), MAX_WAIT_MS).unref();
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

/** The output streams of workers, and how long they are still read before the primary exits. */

/** Stray processes may hold streams open, and write, forever. The daemon waits longer than this. */
const SILENCE_TIMEOUT_MS = 500;
const END_TIMEOUT_MS = 2500;

export class OpenStreams {
  /** @type {Set<LinePipe>} */
  #pipes = new Set();
  #lastBytesMs = 0;

  /** @param {LinePipe} pipe @returns {Promise<void>} when it has ended */
  async add(pipe) {
    this.#pipes.add(pipe);
    await pipe.ended;
    this.#pipes.delete(pipe);
  }

  noteBytes() {
    this.#lastBytesMs = performance.now();
  }

  /**
   * @param {() => Promise<void>} flushed resolves when everything so far is written
   * @returns {Promise<void>} when everything that dead workers wrote is written
   */
  async end(flushed) {
    const endMs = performance.now() + END_TIMEOUT_MS;
    let seenMs;
    do {
      seenMs = this.#lastBytesMs;
      await flushed(); // which resumes streams that were paused
      const ended = Promise.all([...this.#pipes].map((pipe) => pipe.ended));
      await within(ended, SILENCE_TIMEOUT_MS);
    } while (this.#pipes.size > 0 && this.#lastBytesMs > seenMs && performance.now() < endMs);
    for (const pipe of this.#pipes) pipe.endLine();
    await flushed();
  }
}
