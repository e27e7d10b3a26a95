/** Receives a profile from the process that takes it, into a file: a whole one in the end, or none. */
import { closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';
import { NodeclusterError } from '../../errors/error.js';
import { resolveFrom } from '../../shared/files/inspect-path.js';
import { LineSplitter } from '../../shared/line-splitter.js';
import { parseDuration } from '../../shared/units.js';
import { withShortPath } from '../../shared/unix-socket.js';

/** @import { ProfileKind, ProfileOffer, SavedProfile } from './record.js' */

const MIN_MS = 10;
const MAX_MS = 3_600_000;
const EXTENSIONS = { cpu: 'cpuprofile', heap: 'heapsnapshot' };

/** @param {unknown} value @returns {number | null} how long to record, in ms; null: it is no duration from 10 ms to 1 h */
export function recordingMs(value) {
  const ms = parseDuration(value);
  return ms !== null && ms >= MIN_MS && ms <= MAX_MS ? ms : null;
}

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
  const file = resolveFrom(cwd, output ?? `${nameOf(offer)}.${EXTENSIONS[kind]}`);
  const descriptor = writing(file, () => openSync(file, 'wx', 0o600));
  const discard = () => rmSync(file, { force: true });
  // Also if the process exits before the end.
  process.once('exit', discard);
  return async (signal) => {
    try {
      const write = (/** @type {Buffer} */ piece) =>
        writing(file, () => writeFileSync(descriptor, piece));
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

/** @template T @param {string} file @param {() => T} action @returns {T} */
function writing(file, action) {
  try {
    return action();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const isFile = code === 'EEXIST' && !statSync(file, { throwIfNoEntry: false })?.isDirectory();
    if (isFile) throw new NodeclusterError('E_PROFILE_EXISTS', { file });
    const reason = code === 'EEXIST' ? 'EISDIR' : code;
    throw new NodeclusterError('E_FILE_UNWRITABLE', { file, reason });
  }
}

/** Bytes of a line: a piece of a heap has 100 kB, and some more as JSON. */
const MAX_LINE = 2 ** 20;

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
    let bytes = 0;
    for await (const line of linesOf(socket)) {
      const { piece, done, error } = JSON.parse(line.toString());
      if (done) return bytes;
      if (piece === undefined) throw lost(String(error));
      const written = Buffer.from(piece);
      write(written);
      bytes += written.length;
    }
    throw lost('its primary has exited');
  } catch (error) {
    if (error instanceof NodeclusterError) throw error;
    throw lost(/** @type {Error} */ (error).message);
  } finally {
    signal?.removeEventListener('abort', stop);
    socket.destroy();
  }
}

/** @param {AsyncIterable<Buffer>} chunks */
async function* linesOf(chunks) {
  const splitter = new LineSplitter(MAX_LINE, () => {
    throw new Error('it sent something else than a profile');
  });
  for await (const chunk of chunks) yield* splitter.push(chunk);
}
