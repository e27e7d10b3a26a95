/**
 * From a worker's stdout or stderr to its log: only whole lines are passed on, so that lines of
 * different workers never mix. A worker that writes faster than the disk is slowed by its own pipe.
 */
/** @import { Readable } from 'node:stream' */

const NEWLINE = 0x0a;
/** Bytes. A longer line is split into pieces that say so. */
export const MAX_LINE = 256 * 1024;

/**
 * @typedef {object} Sink
 * @property {(lines: Buffer, goesOn: boolean) => boolean} write of whole lines; `goesOn`: the first
 *   is a further piece of the one before. False: pause until it is `drained`
 * @property {() => Promise<void>} drained
 *
 * @typedef {object} LinePipe
 * @property {Promise<void>} ended when the stream has ended and all of it is handed on
 * @property {() => void} endLine hands on the line that has begun, as if it had ended here
 */

/**
 * @param {Readable} stream
 * @param {Sink} sink
 * @param {(chunk: Buffer) => void} [seen] gets every chunk as it comes
 * @returns {LinePipe}
 */
export function pipeLines(stream, sink, seen = () => {}) {
  const lines = new LineCutter((whole, goesOn) => {
    if (sink.write(whole, goesOn) || stream.isPaused()) return;
    stream.pause();
    void sink.drained().then(() => stream.resume());
  });
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    seen(chunk);
    lines.add(chunk);
  });
  const ended = /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      stream.once('error', () => {});
      stream.once('close', () => {
        lines.end();
        resolve();
      });
    })
  );
  return { ended, endLine: () => lines.end() };
}

/** Makes whole lines of pieces that end anywhere. */
class LineCutter {
  /** Of a line whose end has not come. @type {Buffer[]} */
  #rest = [];
  #restBytes = 0;
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
      this.#hand(this.#restBytes > 0 ? Buffer.concat([...this.#takeRest(), lines]) : lines);
    }
    if (end < chunk.length) this.#keep(chunk.subarray(end));
    while (this.#restBytes > MAX_LINE) this.#breakLine();
  }

  /** No more is waited for: the last line gets its newline. */
  end() {
    if (this.#restBytes > 0) this.#hand(Buffer.concat([...this.#takeRest(), Buffer.of(NEWLINE)]));
  }

  #breakLine() {
    const whole = Buffer.concat(this.#takeRest());
    const end = endOfCharacter(whole, MAX_LINE);
    this.#hand(Buffer.concat([whole.subarray(0, end), Buffer.of(NEWLINE)]));
    this.#goesOn = true;
    this.#keep(whole.subarray(end));
  }

  /** @param {Buffer} lines */
  #hand(lines) {
    const goesOn = this.#goesOn;
    this.#goesOn = false;
    this.onLines(lines, goesOn);
  }

  /** @param {Buffer} piece */
  #keep(piece) {
    this.#rest.push(piece);
    this.#restBytes += piece.length;
  }

  #takeRest() {
    this.#restBytes = 0;
    return this.#rest.splice(0);
  }
}

/**
 * @param {Buffer} text
 * @param {number} most
 * @returns {number} where to cut, so that no character of UTF-8 is torn
 */
function endOfCharacter(text, most) {
  for (let end = most; end > most - 4; end--) {
    if ((text[end] & 0xc0) !== 0x80) return end;
  }
  return most;
}
