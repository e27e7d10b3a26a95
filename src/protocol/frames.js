/** Messages on a stream: JSON, one per line. Bytes are split into lines before they are decoded. */
import { NodeclusterError } from '../errors/error.js';

const NEWLINE = 0x0a;

/** In bytes. */
export const MAX_FRAME = 4 * 1024 * 1024;

/**
 * @param {object} message
 * @param {number} [maxBytes]
 * @returns {Buffer} one line
 * @throws {NodeclusterError} E_PROTOCOL_FRAME_SIZE
 */
export function encodeFrame(message, maxBytes = MAX_FRAME) {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  if (line.length > maxBytes) throw new NodeclusterError('E_PROTOCOL_FRAME_SIZE', { maxBytes });
  return line;
}

/**
 * @param {Buffer} line
 * @returns {Record<string, unknown>} a message of JSON-RPC 2.0
 * @throws {NodeclusterError} E_PROTOCOL_FRAME
 */
export function decodeFrame(line) {
  let message;
  try {
    message = JSON.parse(line.toString('utf8'));
  } catch {
    throw new NodeclusterError('E_PROTOCOL_FRAME', { reason: 'not JSON' });
  }
  if (message === null || typeof message !== 'object' || message.jsonrpc !== '2.0') {
    throw new NodeclusterError('E_PROTOCOL_FRAME', { reason: 'not JSON-RPC 2.0' });
  }
  return message;
}

/** Splits a stream into lines. Work and memory depend on the bytes, not on the number of chunks. */
export class FrameSplitter {
  #maxBytes;
  /** Buffer for the beginning of an incomplete line; it doubles when it is full. */
  #pending = Buffer.alloc(0);
  #length = 0;

  /** @param {number} [maxBytes] of a line without its newline */
  constructor(maxBytes = MAX_FRAME) {
    this.#maxBytes = maxBytes;
  }

  /**
   * @param {Buffer} chunk
   * @returns {Generator<Buffer>} the lines that end in this chunk
   * @throws {NodeclusterError} E_PROTOCOL_FRAME_SIZE; the splitter cannot be used afterwards
   */
  *push(chunk) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      yield this.#complete(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  /** @param {Buffer} rest */
  #complete(rest) {
    if (this.#length === 0) {
      this.#assertFits(rest.length);
      return rest;
    }
    this.#append(rest);
    const line = this.#pending.subarray(0, this.#length);
    this.#pending = Buffer.alloc(0);
    this.#length = 0;
    return line;
  }

  /** @param {Buffer} part */
  #append(part) {
    const length = this.#length + part.length;
    this.#assertFits(length);
    if (length > this.#pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#pending.length * 2));
      this.#pending.copy(grown, 0, 0, this.#length);
      this.#pending = grown;
    }
    part.copy(this.#pending, this.#length);
    this.#length = length;
  }

  /** @param {number} length */
  #assertFits(length) {
    if (length <= this.#maxBytes) return;
    throw new NodeclusterError('E_PROTOCOL_FRAME_SIZE', { maxBytes: this.#maxBytes });
  }
}
