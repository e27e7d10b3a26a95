/**
 * One log file: private, opened again when its path names another file, and rotated between two lines. Its buffer is bounded:
 * writers have to pause. A full disk costs log lines, never the app.
 */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreError } from '../../errors/error.js';
import { makeDirectory } from '../../shared/files/directories.js';
import { assertOwned, explainLink } from '../../shared/files/owned-file.js';
import { makeDateFormat } from '../../shared/log-files/date-format.js';
import { LineQueue } from '../../shared/log-files/line-queue.js';
import {
  isOpenDescriptor,
  listRotated,
  moveAway,
  prune,
  removeUnfinished,
  resolveLinks,
} from '../../shared/log-files/rotated-files.js';
import { writeAll } from '../../shared/log-files/standard-stream.js';
import { logInPrimary } from './primary-log.js';

/**
 * @import { Stats } from 'node:fs'
 * @import { FileHandle } from 'node:fs/promises'
 * @import { Spec } from '../../config/spec.js'
 * @import { Compressor } from './compressor.js'
 */

/** In the names of rotated files. */
const DAYS = makeDateFormat('YYYY-MM-DD');
const HIGH_WATER = 1024 * 1024;
const BATCH_BYTES = 256 * 1024;
/** After this time a loss is declared even if no worker writes. */
const DECLARE_AFTER_MS = 1000;
const NEWLINE = 0x0a;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Not blocking: a named pipe without a reader would occupy one of the few threads for files. */
const TO_APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

export class LogFile extends LineQueue {
  /** @type {NodeJS.Timeout | undefined} */
  #declareTimer;
  #hasFailedToRotate = false;
  /** Null: it is not open. @type {{handle: FileHandle, stats: Stats} | null} */
  #opened = null;

  /**
   * @param {string} path
   * @param {Pick<Spec, 'uid' | 'logRotate'>} spec uid: who must own the file, and then it is no link; null: anybody
   * @param {{compressor: Compressor, ownLine: (message: string) => Buffer, onLoss: () => void}} services ownLine:
   *   formats a line of nodecluster itself
   */
  constructor(path, spec, { compressor, ownLine, onLoss }) {
    super(HIGH_WATER, async (waiting) => {
      const batch = this.#takeBatch(waiting);
      await this.#writeOut(batch);
      return batch.length;
    });
    this.path = path;
    this.spec = spec;
    this.compressor = compressor;
    this.ownLine = ownLine;
    this.onLoss = onLoss;
    this.run(() => this.#tidy()).catch((error) => this.#logError(error));
  }

  /** Empties it and removes rotated files, in order with pending writes. */
  empty() {
    return this.run(async () => {
      if (await statOrNull(this.path)) await (await this.#open()).handle.truncate(0);
      await prune(this.path, 0);
      this.loss.reset();
    });
  }

  /** Also below its size, unless it is empty; in order with pending writes. */
  rotate() {
    return this.run(async () => void (await this.#makeReady(Infinity)));
  }

  close() {
    return this.run(async () => {
      // There may be room again since the last attempt.
      if (this.loss.isUndeclared) await this.#writeOut(Buffer.alloc(0));
      clearTimeout(this.#declareTimer);
      await this.#close();
    });
  }

  /** @param {Buffer[]} waiting */
  #takeBatch(waiting) {
    const limit = Math.min(BATCH_BYTES, this.spec.logRotate?.maxSizeBytes ?? BATCH_BYTES);
    let count = 0;
    let bytes = 0;
    for (const lines of waiting) {
      if (count > 0 && bytes + lines.length > limit) break;
      count += 1;
      bytes += lines.length;
    }
    const taken = waiting.splice(0, count);
    return count === 1 ? taken[0] : Buffer.concat(taken, bytes);
  }

  /** @param {Buffer} batch empty: only declare a loss */
  async #writeOut(batch) {
    const declaration = this.loss.declaration(this.ownLine);
    const bytes = declaration.length > 0 ? Buffer.concat([declaration, batch]) : batch;
    let written = 0;
    try {
      const { handle } = await this.#makeReady(bytes.length);
      await writeAll(handle.fd, bytes, (count) => (written += count));
      this.loss.declared();
    } catch (error) {
      if (written >= declaration.length) this.loss.declared();
      if (written > 0) this.loss.isTorn = bytes[written - 1] !== NEWLINE;
      const lost = batch.subarray(Math.max(0, written - declaration.length));
      this.#countLoss(lost, /** @type {NodeJS.ErrnoException} */ (error));
    }
  }

  /** @param {number} bytes that will be written */
  async #makeReady(bytes) {
    const file = await this.#open();
    const { stats } = file;
    const { logRotate: rotation } = this.spec;
    const isFull = rotation && stats.size > 0 && stats.size + bytes > rotation.maxSizeBytes;
    if (!isFull || !stats.isFile()) return file;
    await this.#rotate(rotation, stats.mtimeMs);
    return this.#open();
  }

  /** @returns the file that its path names now @throws {NodeclusterError} E_FILE_UNTRUSTED */
  async #open() {
    const named = await statOrNull(this.path);
    const opened = this.#opened;
    if (opened && named?.ino === opened.stats.ino && named.dev === opened.stats.dev)
      return { ...opened, stats: named };
    await this.#close();
    const { uid } = this.spec;
    const handle = await openWithDirectory(this.path, uid !== null);
    const stats = await handle.stat();
    try {
      if (uid !== null && stats.isFile()) assertOwned(this.path, stats, uid);
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#opened = { handle, stats };
    return this.#opened;
  }

  async #close() {
    const { handle } = this.#opened ?? {};
    this.#opened = null;
    await handle?.close();
  }

  /** @param {NonNullable<Spec['logRotate']>} rotation @param {number} writtenMs when its last line was written */
  async #rotate(rotation, writtenMs) {
    try {
      await moveAway(this.path, rotation.rotate ? DAYS.write(writtenMs) : undefined);
      await prune(this.path, rotation.keep);
      this.#hasFailedToRotate = false;
    } catch (error) {
      // It keeps growing: better too large than lost.
      if (!this.#hasFailedToRotate) this.#logError(/** @type {Error} */ (error));
      this.#hasFailedToRotate = true;
    }
    if (rotation.compress) this.compressor.add(this.path);
  }

  /** @param {Buffer} lost @param {NodeJS.ErrnoException} error */
  #countLoss(lost, error) {
    if (!this.loss.isUndeclared) this.#logError(error);
    this.loss.count(lost, error);
    this.onLoss();
    clearTimeout(this.#declareTimer);
    this.#declareTimer = setTimeout(() => this.write(Buffer.alloc(0)), DECLARE_AFTER_MS).unref();
  }

  /** The previous primary may have been killed while it wrote. */
  async #tidy() {
    this.loss.isTorn = await isTorn(this.path);
    const { logRotate: rotation } = this.spec;
    if (!rotation || (await listRotated(this.path)).length === 0) return;
    await removeUnfinished(this.path);
    await prune(this.path, rotation.keep);
    if (rotation.compress) this.compressor.add(this.path);
  }

  /** @param {Error} error */
  #logError({ message }) {
    logInPrimary(`${this.path}: ${message}`);
  }
}

/** Whether its last line is unfinished; false: also if it cannot be read. @param {string} file */
async function isTorn(file) {
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size === 0) return false;
    const handle = await open(file, O_RDONLY | O_NONBLOCK);
    try {
      const { buffer } = await handle.read(Buffer.of(NEWLINE), 0, 1, found.size - 1);
      return buffer[0] !== NEWLINE;
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

/** @param {string} path @param {boolean} isStrict no link is followed */
async function openWithDirectory(path, isStrict) {
  const file = isStrict ? path : await resolveLinks(path);
  const flags = isOpenDescriptor(file) && !isStrict ? TO_APPEND : TO_APPEND | O_NOFOLLOW;
  const openFile = () => open(file, flags, 0o600);
  try {
    const handle = await openFile().catch(ignoreError('ENOENT'));
    if (handle) return handle;
    await makeDirectory(dirname(file));
    return await openFile();
  } catch (error) {
    throw explainLink(error, file);
  }
}

/** @param {string} file */
function statOrNull(file) {
  return stat(file).catch(ignoreError('ENOENT'));
}
