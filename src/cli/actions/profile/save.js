/** Saves the profile that a worker sends. There is a whole file in the end, or none. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { NodeclusterError } from '../../../errors/error.js';
import { receiveProfile } from './receive.js';

/**
 * @import { ProfileKind } from '../../../protocol/methods.js'
 * @import { ProfileOffer } from '../../../protocol/shapes.js'
 * @import { Context } from '../../context.js'
 */

const EXTENSIONS = { cpu: 'cpuprofile', heap: 'heapsnapshot' };

/**
 * @typedef {object} SavedProfile
 * @property {string} file its absolute path
 * @property {number} bytes
 * @property {string} app
 * @property {number} slot
 * @property {number} pid
 * @property {number} generation
 */

/**
 * @param {Context} context
 * @param {ProfileOffer} offer
 * @param {ProfileKind} order
 * @param {string} [output] default: a name that says whose it is
 * @returns {Promise<SavedProfile>}
 * @throws {NodeclusterError} E_FILE_EXISTS, E_FILE_UNWRITABLE, E_PROFILE_LOST
 */
export async function saveProfile({ cwd }, offer, { kind }, output) {
  const { app, slot, pid, generation } = offer;
  const file = path.resolve(cwd, output ?? `${nameOf(offer)}.${EXTENSIONS[kind]}`);
  const descriptor = create(file);
  const discard = () => rmSync(file, { force: true });
  // Also when Ctrl-C ends the command.
  process.once('exit', discard);
  try {
    const write = (/** @type {Buffer} */ piece) => writePiece(descriptor, piece, file);
    const bytes = await receiveProfile(offer, kind === 'cpu', write);
    return { file, bytes, app, slot, pid, generation };
  } catch (error) {
    discard();
    throw error;
  } finally {
    process.off('exit', discard);
    closeSync(descriptor);
  }
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
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    if (reason === 'EEXIST') throw new NodeclusterError('E_PROFILE_EXISTS', { file });
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
