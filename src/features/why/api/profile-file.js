/** The file that a profile is saved to. There is a whole one in the end, or none. */
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { NodeclusterError } from '../../../errors/error.js';
import { receiveProfile } from './receive.js';

/**
 * @import { ProfileKind, ProfileOffer, SavedProfile } from '../record.js'
 */

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
