/**
 * Passes a worker's stdout or stderr to its log, in whole lines only, so that lines of different
 * workers never mix. A worker that writes faster than the disk is slowed by its own pipe.
 */
/** @import { Readable } from 'node:stream' */

const NEWLINE = 0x0a;
/** Bytes. A longer line is split into pieces that say so. */
const MAX_LINE = 256 * 1024;

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
 * @param {(chunk: Buffer) => void} [onChunk]
 * @returns {LinePipe}
 */
export function pipeLines(stream, sink, onChunk = () => {}) {
  const splitter = new LineSplitter((lines, goesOn) => {
    if (sink.write(lines, goesOn) || stream.isPaused()) return;
    stream.pause();
    void sink.drained().then(() => stream.resume());
  });
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    onChunk(chunk);
    splitter.add(chunk);
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

  /** @param {(lines: Buffer, goesOn: boolean) => void} onLines */
  constructor(onLines) {
    this.onLines = onLines;
  }

  /** @param {Buffer} chunk */
  add(chunk) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const lines = chunk.subarray(0, end);
      this.#emit(this.#bytes > 0 ? Buffer.concat([...this.#takePieces(), lines]) : lines);
    }
    if (end < chunk.length) this.#buffer(chunk.subarray(end));
    while (this.#bytes > MAX_LINE) this.#breakLine();
  }

  /** Adds the missing newline to an unfinished line. */
  end() {
    if (this.#bytes > 0) this.#emit(Buffer.concat([...this.#takePieces(), Buffer.of(NEWLINE)]));
  }

  #breakLine() {
    const line = Buffer.concat(this.#takePieces());
    const end = endOfCharacter(line, MAX_LINE);
    this.#emit(Buffer.concat([line.subarray(0, end), Buffer.of(NEWLINE)]));
    this.#goesOn = true;
    this.#buffer(line.subarray(end));
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
  }

  #takePieces() {
    this.#bytes = 0;
    return this.#pieces.splice(0);
  }
}

/** @param {Buffer} text @param {number} limit @returns {number} where no UTF-8 character is split */
function endOfCharacter(text, limit) {
  for (let end = limit; end > limit - 4; end--) {
    if ((text[end] & 0xc0) !== 0x80) return end;
  }
  return limit;
}
