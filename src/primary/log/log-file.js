/**
 * One log file: lines are appended in order, and it is rotated between two of them. Its buffer is bounded: writers have to
 * pause. A full disk costs log lines, never the app.
 */
import { listRotated, moveAway, prune } from '../../shared/log-files/rotated-files.js';
import { AppendedFile, inspectEnd } from './appended-file.js';
import { LineQueue } from '../../shared/log-files/line-queue.js';
import { logInPrimary } from './primary-log.js';
import { removeUnfinished } from './compressor.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Compressor } from './compressor.js'
 */

const HIGH_WATER = 1024 * 1024;
const BATCH_BYTES = 256 * 1024;
/** After this time a loss is declared even if no worker writes. */
const DECLARE_AFTER_MS = 1000;
const NEWLINE = 0x0a;

/**
 * @typedef {object} FileSettings
 * @property {number | null} [owner] who must own the file, and then it is no link; null: anybody
 * @property {Spec['logRotate']} rotation
 * @property {number | null} [createdAt] epoch ms; what the file has from before is of a former life of the app
 * @property {string} [creation] the message between the two
 * @property {(ms: number) => string | undefined} [dayOf] for the name of a rotated file: `2026-11-28`
 * @property {(message: string, atMs?: number) => Buffer} ownLine formats a line of nodecluster itself; `atMs`: now by default
 */

export class LogFile extends LineQueue {
  /** @type {NodeJS.Timeout | undefined} */
  #declareTimer;
  #hasFailedToRotate = false;
  #file;

  /**
   * @param {string} path
   * @param {FileSettings} settings
   * @param {{compressor: Compressor, onLoss?: () => void}} services
   */
  constructor(path, settings, { compressor, onLoss = () => {} }) {
    super(HIGH_WATER, () => this.#writeBatch());
    this.path = path;
    this.settings = settings;
    this.compressor = compressor;
    this.onLoss = onLoss;
    this.#file = new AppendedFile(path, settings.owner);
    this.run(() => this.#tidy()).catch((error) => this.#logError(error));
  }

  /** Opens the file that its path names now, in order with pending writes. */
  reopen() {
    return this.run(async () => {
      await this.#file.close();
      await this.#file.ready();
    });
  }

  /** Empties it and removes rotated files, in order with pending writes. */
  empty() {
    return this.run(async () => {
      await this.#file.empty();
      await prune(this.path, 0);
      this.loss.reset();
    });
  }

  /** Also below its size, unless it is empty; in order with pending writes. */
  rotate() {
    return this.run(() => this.#makeReady(Infinity));
  }

  close() {
    return this.run(async () => {
      // There may be room again since the last attempt.
      if (this.loss.isUndeclared) await this.#writeOut(Buffer.alloc(0));
      clearTimeout(this.#declareTimer);
      await this.#file.close();
    });
  }

  async #writeBatch() {
    const batch = this.#takeBatch();
    await this.#writeOut(batch);
    return batch.length;
  }

  #takeBatch() {
    const limit = Math.min(BATCH_BYTES, this.settings.rotation?.maxSizeBytes ?? BATCH_BYTES);
    let count = 0;
    let bytes = 0;
    for (const lines of this.queue) {
      if (typeof lines === 'function' || (count > 0 && bytes + lines.length > limit)) break;
      count += 1;
      bytes += lines.length;
    }
    const taken = /** @type {Buffer[]} */ (this.queue.splice(0, count));
    return count === 1 ? taken[0] : Buffer.concat(taken, bytes);
  }

  /** @param {Buffer} batch empty: only declare a loss */
  async #writeOut(batch) {
    const declaration = this.loss.declaration(this.settings.ownLine);
    const bytes = declaration.length > 0 ? Buffer.concat([declaration, batch]) : batch;
    let written = 0;
    try {
      await this.#makeReady(bytes.length);
      await this.#file.append(bytes, (count) => (written += count));
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
    const found = await this.#file.ready();
    const { rotation } = this.settings;
    const isFull = rotation && found.size > 0 && found.size + bytes > rotation.maxSizeBytes;
    if (!isFull || !found.isFile()) return;
    await this.#rotate(rotation, found.mtimeMs);
    await this.#file.ready();
  }

  /** @param {NonNullable<Spec['logRotate']>} rotation @param {number} writtenMs when its last line was written */
  async #rotate(rotation, writtenMs) {
    try {
      await moveAway(this.path, this.settings.dayOf?.(writtenMs));
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
    const { isTorn, writtenMs } = await inspectEnd(this.path);
    this.loss.isTorn = isTorn;
    const { rotation, createdAt = null, creation = '', ownLine } = this.settings;
    if (createdAt !== null && writtenMs < createdAt)
      await this.#writeOut(ownLine(creation, createdAt));
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
