/** This primary and its workers on disk, where the next daemon finds them if it is killed. */
import { lstat, readFile } from 'node:fs/promises';
import { removeUnfinished, writeFileAtomic } from '../../shared/files/atomic-file.js';
import { identify } from '../../shared/processes/identity.js';
import { mayBeThere } from '../../shared/unix-socket.js';

/**
 * @import { PrimaryRecord, ProcessIdentity, RecordedWorker } from '../../shared/processes/records.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

export class RecordFile {
  #file;
  #record;
  /** @type {Map<string, RecordedWorker[]>} */
  #apps = new Map();
  #latest;
  /** @type {Promise<void> | null} */
  #writing = null;
  /** Each is read once: with many workers there are many changes. @type {WeakMap<WorkerHandle, ProcessIdentity>} */
  #identities = new WeakMap();

  /** @param {string} file @param {PrimaryRecord} record of this primary, without apps */
  constructor(file, record) {
    removeUnfinished(file);
    this.#file = file;
    this.#record = record;
    this.#latest = JSON.stringify(record);
  }

  /**
   * @param {string} app
   * @param {Iterable<WorkerHandle>} workers
   * @param {readonly RecordedWorker[]} previous another primary's
   * @returns {Promise<void> | null} when they are on the disk; null: they are
   */
  update(app, workers, previous) {
    const own = [...workers].flatMap((worker) => {
      const { pid, mark, ownsGroup } = worker;
      if (pid === null) return [];
      const identity = this.#identities.get(worker) ?? identify(pid);
      if (identity !== null) this.#identities.set(worker, identity);
      return [{ .../** @type {ProcessIdentity} */ (identity), mark, ownsGroup }];
    });
    this.#apps.set(app, [...previous, ...own]);
    return this.#change();
  }

  /** @param {string} app that has ended */
  forget(app) {
    this.#apps.delete(app);
    void this.#change();
  }

  /** @returns {Promise<boolean>} whether the file has it; true also if that is not clear */
  async isThere() {
    try {
      const found = await lstat(this.#file);
      if (!found.isFile() || this.#writing !== null) return true;
      const isWhole = found.size === Buffer.byteLength(this.#latest);
      return isWhole && (await readFile(this.#file, 'utf8')) === this.#latest;
    } catch (error) {
      return mayBeThere(error);
    }
  }

  /** @returns {Promise<void>} when it is on the disk, or that has failed */
  write() {
    this.#writing ??= this.#writeLatest().finally(() => (this.#writing = null));
    return this.#writing;
  }

  /** @returns {Promise<void>} when nothing is being written: a process that exits then leaves no part of a file */
  async whenIdle() {
    while (this.#writing !== null) await this.#writing;
  }

  #change() {
    const text = JSON.stringify({ ...this.#record, apps: Object.fromEntries(this.#apps) });
    if (text === this.#latest) return this.#writing;
    this.#latest = text;
    return this.write();
  }

  async #writeLatest() {
    let text;
    do {
      text = this.#latest;
      // A full disk must not crash the primary; the next change tries again.
      await writeFileAtomic(this.#file, text).catch(() => {});
    } while (text !== this.#latest);
  }
}
