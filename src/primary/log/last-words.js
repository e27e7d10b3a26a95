/** The last lines that a worker wrote to stderr: what its failure is explained with. */

/** Bytes and lines that are kept: enough for a stack trace. */
const MAX_BYTES = 4096;
const MAX_LINES = 20;

export class LastWords {
  #kept = Buffer.alloc(0);

  /** @param {Buffer} chunk */
  add(chunk) {
    this.#kept = Buffer.concat([this.#kept, chunk.subarray(-MAX_BYTES)]).subarray(-MAX_BYTES);
  }

  /** @returns {string[]} */
  lines() {
    const lines = this.#kept.toString('utf8').split('\n');
    if (this.#kept.length === MAX_BYTES && lines.length > 1) lines.shift();
    return lines.filter((line) => line.trim() !== '').slice(-MAX_LINES);
  }
}
