/** Receives a profile from the process that takes it: src/features/why/inspector/command-socket.js. */
import { once } from 'node:events';
import net from 'node:net';
import { NodeclusterError } from '../../../errors/error.js';
import { withShortPath } from '../../../protocol/socket-path.js';

/** @import { ProfileOffer } from '../record.js' */

/** Of the lines between the pieces. */
const MAX_LINE = 4096;
const NEWLINE = 0x0a;

/**
 * @param {ProfileOffer} offer
 * @param {(piece: Buffer) => void} write
 * @param {{signal?: AbortSignal, canEndEarly: boolean}} how canEndEarly: `signal` asks for what there is so far
 * @returns {Promise<number>} how many bytes it has, when all are written
 * @throws {NodeclusterError} E_PROFILE_LOST, and what write throws
 */
export async function receiveProfile({ app, slot, socket: path }, write, how) {
  const { signal, canEndEarly } = how;
  const lost = (/** @type {string} */ reason) =>
    new NodeclusterError('E_PROFILE_LOST', { app, slot, reason });
  const socket = withShortPath(path, (reachable) =>
    net.connect({ path: reachable, allowHalfOpen: true }),
  );
  const stop = () => (canEndEarly ? socket.end() : socket.destroy(new Error('it was interrupted')));
  try {
    await once(socket, 'connect');
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    const reader = new PieceReader(write);
    for await (const chunk of socket) reader.add(chunk);
    const { outcome, bytes } = reader;
    if (outcome?.done) return bytes;
    throw lost(outcome?.error ?? 'its primary has exited');
  } catch (error) {
    if (error instanceof NodeclusterError) throw error;
    throw lost(/** @type {Error} */ (error).message);
  } finally {
    signal?.removeEventListener('abort', stop);
    socket.destroy();
  }
}

class PieceReader {
  bytes = 0;
  /** @type {{done?: object, error?: string} | null} */
  outcome = null;
  /** Of the piece that is being received. */
  #missing = 0;
  /** Of a line whose end has not arrived. */
  #line = Buffer.alloc(0);
  #write;

  /** @param {(piece: Buffer) => void} write */
  constructor(write) {
    this.#write = write;
  }

  /** @param {Buffer} chunk */
  add(chunk) {
    let rest = chunk;
    while (rest.length > 0) rest = this.#missing > 0 ? this.#take(rest) : this.#readLine(rest);
  }

  /** @param {Buffer} chunk @returns {Buffer} what follows the piece */
  #take(chunk) {
    const piece = chunk.subarray(0, this.#missing);
    this.#write(piece);
    this.#missing -= piece.length;
    this.bytes += piece.length;
    return chunk.subarray(piece.length);
  }

  /** @param {Buffer} chunk @returns {Buffer} what follows the line */
  #readLine(chunk) {
    const end = chunk.indexOf(NEWLINE);
    const line = Buffer.concat([this.#line, end === -1 ? chunk : chunk.subarray(0, end)]);
    if (line.length > MAX_LINE) throw new Error('it sent something else than a profile');
    this.#line = end === -1 ? line : Buffer.alloc(0);
    if (end === -1) return Buffer.alloc(0);
    const { bytes = 0, ...outcome } = JSON.parse(line.toString());
    this.#missing = Number.isSafeInteger(bytes) ? bytes : 0;
    if (bytes === 0) this.outcome = outcome;
    return chunk.subarray(end + 1);
  }
}
