/** Receives a profile from the process that takes it, into a file: a whole one in the end, or none. */
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import net from 'node:net';
import { NodeclusterError } from '../../errors/error.js';
import { withShortPath } from '../../shared/unix-socket.js';

/** @import { ProfileKind, ProfileOffer, SavedProfile } from './record.js' */

const EXTENSIONS = { cpu: 'cpuprofile', heap: 'heapsnapshot' };

/**
 * Saves what a worker sends. The file is created at once, so that one that cannot be written disturbs no
 * worker.
 * @param {ProfileOffer} offer of the daemon
 * @param {object} how
 * @param {ProfileKind['kind']} how.kind
 * @param {string} how.cwd
 * @param {string} [how.output] default: a name that says whose it is
 * @returns {(signal?: AbortSignal) => Promise<SavedProfile>} receives it; `signal` ends a CPU profile early,
 *   and gives up that of a heap
 * @throws {NodeclusterError} E_PROFILE_EXISTS, E_FILE_UNWRITABLE; what it returns, E_PROFILE_LOST too
 */
export function openProfileFile(offer, { kind, cwd, output }) {
  const { app, slot, pid, generation } = offer;
  const file = path.resolve(cwd, output ?? `${nameOf(offer)}.${EXTENSIONS[kind]}`);
  const descriptor = create(file);
  const discard = () => rmSync(file, { force: true });
  // Also if the process exits before the end.
  process.once('exit', discard);
  return async (signal) => {
    try {
      const write = (/** @type {Buffer} */ piece) => writePiece(descriptor, piece, file);
      const bytes = await receiveProfile(offer, write, { signal, canEndEarly: kind === 'cpu' });
      return { file, bytes, app, slot, pid, generation };
    } catch (error) {
      discard();
      throw error;
    } finally {
      process.off('exit', discard);
      closeSync(descriptor);
    }
  };
}

/** @param {ProfileOffer} offer @returns {string} `api-1-g3-20261123-101502` */
function nameOf({ app, slot, generation }) {
  const time = new Date().toISOString().replace(/\..*$/, '').replace(/[-:]/g, '').replace('T', '-');
  return `${app}-${slot}-g${generation}-${time}`;
}

/** @param {string} file */
function create(file) {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const isFile = code === 'EEXIST' && !statSync(file, { throwIfNoEntry: false })?.isDirectory();
    if (isFile) throw new NodeclusterError('E_PROFILE_EXISTS', { file });
    const reason = code === 'EEXIST' ? 'EISDIR' : code;
    throw new NodeclusterError('E_FILE_UNWRITABLE', { file, reason });
  }
}

/** @param {number} descriptor @param {Buffer} piece @param {string} file */
function writePiece(descriptor, piece, file) {
  try {
    for (let at = 0; at < piece.length;) at += writeSync(descriptor, piece, at);
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new NodeclusterError('E_FILE_UNWRITABLE', { file, reason });
  }
}

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
async function receiveProfile({ app, slot, socket: path }, write, how) {
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
