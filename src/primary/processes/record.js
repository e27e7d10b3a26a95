/** Who the workers are, on disk: a primary that is killed leaves them to the next one. */
import { readFileSync } from 'node:fs';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { identify } from '../../shared/process-identity.js';

/**
 * @import { ProcessIdentity } from '../../shared/process-identity.js'
 * @import { WorkerHandle } from '../worker/worker-handle.js'
 */

/**
 * @typedef {object} RecordedWorker
 * @property {number} slot
 * @property {number} generation
 * @property {string} mark
 * @property {boolean} ownsGroup
 *
 * @typedef {ProcessIdentity & RecordedWorker} Recorded
 */

export class WorkerRecord {
  #written = '';
  #isWriting = false;

  /** @param {string} file */
  constructor(file) {
    this.file = file;
  }

  /**
   * @param {Iterable<WorkerHandle>} workers all that there are
   * @param {readonly Recorded[]} leftovers of an earlier primary
   */
  update(workers, leftovers) {
    const own = [...workers].flatMap(({ pid, slot, generation, mark, ownsGroup = false }) =>
      pid === null ? [] : [{ ...identify(pid), slot, generation, mark, ownsGroup }],
    );
    const text = JSON.stringify([...leftovers, ...own]);
    if (text === this.#written) return;
    this.#written = text;
    if (!this.#isWriting) this.#write();
  }

  async #write() {
    this.#isWriting = true;
    let text;
    do {
      text = this.#written;
      // A full disk must not end the primary; the next change tries again.
      await writeFileAtomic(this.file, text).catch(() => {});
    } while (text !== this.#written);
    this.#isWriting = false;
  }
}

/**
 * @param {string} file
 * @returns {Recorded[] | null} what the last primary wrote; null: there was none
 */
export function readWorkers(file) {
  try {
    const recorded = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(recorded) ? recorded.filter((entry) => entry?.startTime) : [];
  } catch {
    return null;
  }
}
