/** Takes a profile: a whole file in the end, or none. */
import {
  closeSync,
  constants,
  createReadStream,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';
import { openOwned } from '../../shared/files/owned-file.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { parseDuration } from '../../shared/units.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { ProfileKind, ProfileOffer } from './record.js'
 */

const MIN_MS = 10;
const MAX_MS = 3_600_000;
const POLL_MS = 100;
const EXTENSIONS = { cpu: 'cpuprofile', heap: 'heapsnapshot' };

/** @param {unknown} value @returns {number | null} how long to record, in ms; null: it is no duration from 10 ms to 1 h */
export function recordingMs(value) {
  const ms = parseDuration(value);
  return ms !== null && ms >= MIN_MS && ms <= MAX_MS ? ms : null;
}

/**
 * `signal` ends a CPU profile early, and gives up that of a heap.
 * @param {{selector: string} & ProfileKind} order
 * @param {Pick<DaemonClient, 'request'> & {cwd: string, output?: string, signal?: AbortSignal, onBegun?: (offer: ProfileOffer) => void}} how
 */
export async function takeProfile(order, { request, cwd, output, signal, onBegun = () => {} }) {
  const { kind, durationMs = 0 } = order;
  const offer = await request('profile', order);
  const { app, slot, pid, generation } = offer;
  const worker = identify(pid);
  const end = (/** @type {boolean} */ isWanted) =>
    request('end-profile', { app, pid, kind, isWanted });
  const time = new Date()
    .toISOString()
    .replace(/\..*$|[-:]/g, '')
    .replace('T', '-');
  const name = `${app}-${slot}-g${generation}-${time}.${EXTENSIONS[kind]}`;
  const file = resolve(cwd, output ?? name);
  let descriptor;
  try {
    descriptor = writing(file, () => openSync(file, 'wx', 0o600));
  } catch (error) {
    await end(false).catch(() => {});
    throw error;
  }
  // Also if the process exits before the end.
  const discard = () => [file, offer.file].forEach((each) => rmSync(each, { force: true }));
  process.once('exit', discard);
  try {
    onBegun(offer);
    const isRunning = () => worker !== null && isAlive(worker);
    const isOver = () => signal?.aborted || !isRunning();
    if (kind === 'cpu') await poll(isOver, { timeoutMs: durationMs, everyMs: POLL_MS });
    if (isRunning()) await end(true);
    if (kind === 'heap' && signal?.aborted) throw lost(offer, 'it was interrupted');
    const bytes = await copy(offer, { file, descriptor });
    rmSync(offer.file, { force: true });
    return { file, bytes, app, slot, pid, generation };
  } catch (error) {
    discard();
    throw error;
  } finally {
    process.off('exit', discard);
    closeSync(descriptor);
  }
}

/** @param {Pick<ProfileOffer, 'app' | 'slot'>} worker @param {string} reason */
function lost({ app, slot }, reason) {
  return new NodeclusterError('E_PROFILE_LOST', { app, slot, reason });
}

/** @template T @param {string} file @param {() => T} action @returns {T} */
function writing(file, action) {
  try {
    return action();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const isFile = code === 'EEXIST' && !statSync(file, { throwIfNoEntry: false })?.isDirectory();
    if (isFile) throw new NodeclusterError('E_FILE_EXISTS', { file, mayReplace: false });
    const reason = code === 'EEXIST' ? 'EISDIR' : code;
    throw new NodeclusterError('E_FILE_UNWRITABLE', { file, reason });
  }
}

const PIECE = 2 ** 20;

/** What it has written belongs to its user. @param {ProfileOffer} offer @param {{file: string, descriptor: number}} target */
async function copy(offer, { file, descriptor }) {
  const pieces = createReadStream('', { fd: openWritten(offer), highWaterMark: PIECE });
  let bytes = 0;
  for await (const piece of pieces) {
    writing(file, () => writeFileSync(descriptor, piece));
    bytes += piece.length;
  }
  return bytes;
}

/** @param {ProfileOffer} offer @returns {number} a descriptor */
function openWritten(offer) {
  try {
    return openOwned(offer.file, constants.O_RDONLY, offer.uid);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw code === 'ENOENT' ? lost(offer, 'the worker has exited') : error;
  }
}
