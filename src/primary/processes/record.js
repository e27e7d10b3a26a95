/** The workers on disk, where the next primary finds them if this one is killed. */
import { removeUnfinished, writeFileAtomic } from '../../shared/files/atomic-file.js';
import { identify } from '../../shared/processes/identity.js';

/**
 * @import { ProcessIdentity, RecordedWorker } from '../../shared/processes/records.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

export class WorkerRecord {
  #latest = '';
  /** @type {Promise<void> | null} */
  #writing = null;
  /** Each is read once: with many workers there are many changes. @type {WeakMap<WorkerHandle, ProcessIdentity>} */
  #identities = new WeakMap();

  /** @param {string} file */
  constructor(file) {
    removeUnfinished(file);
    this.file = file;
  }

  /**
   * @param {Iterable<WorkerHandle>} workers all of this primary
   * @param {readonly RecordedWorker[]} previous workers of the previous primary
   * @returns {Promise<void> | null} when they are on the disk; null: they are
   */
  update(workers, previous) {
    const own = [...workers].flatMap((worker) => {
      const { pid, slot, generation, mark, ownsGroup } = worker;
      return pid === null ? [] : [{ ...this.#identify(worker), slot, generation, mark, ownsGroup }];
    });
    const text = JSON.stringify([...previous, ...own]);
    if (text === this.#latest) return this.#writing;
    this.#latest = text;
    return this.#write();
  }

  /** @param {string} file the place of the record from now on */
  moveTo(file) {
    this.file = file;
    // It is not in the new place yet, even if it is being written now.
    this.#latest += ' ';
    this.#write();
  }

  /** After the directory has been removed. */
  restore() {
    if (this.#latest !== '') this.#write();
  }

  /** @param {WorkerHandle} worker */
  #identify(worker) {
    const identity = this.#identities.get(worker) ?? identify(worker.pid ?? 0);
    if (identity !== null) this.#identities.set(worker, identity);
    return identity;
  }

  #write() {
    this.#writing ??= this.#writeLatest().finally(() => (this.#writing = null));
    return this.#writing;
  }

  async #writeLatest() {
    let text;
    do {
      text = this.#latest;
      // A full disk must not crash the primary; the next change tries again.
      await writeFileAtomic(this.file, text).catch(() => {});
    } while (text !== this.#latest);
  }
}
