/** Saves the desired state, and notices when something else changes the file. */
import { statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { writeFileAtomic } from '../../shared/files/atomic-file.js';
import { FORMAT, copyOf } from './store.js';

/** @import { Desired } from './desired.js' */

/** Writes one state at a time; saves requested during a write are combined into one. */
export class DesiredStore {
  #file;
  #describe;
  #writing = Promise.resolve();
  /** A write that has not begun, so it will include every change. @type {Promise<void> | null} */
  #next = null;
  /** The file as it was read or written. @type {string | null} */
  #stamp;

  /** @param {string} file @param {() => Desired} describe the current state */
  constructor(file, describe) {
    this.#file = file;
    this.#describe = describe;
    this.#stamp = stampOf(file);
  }

  /** @returns {Promise<void>} when the current state has been saved */
  save() {
    this.#next ??= this.#writing.then(() => this.#write());
    return this.#next;
  }

  /**
   * @returns {Promise<boolean>} false: something else removed or changed the file, or it contains a change that was
   *   rolled back because writing it failed late
   */
  async isIntact() {
    await this.#writing;
    const stamp = stampOf(this.#file);
    return stamp === null ? this.#describe().apps.length === 0 : stamp === this.#stamp;
  }

  #write() {
    this.#next = null;
    const text = JSON.stringify({ format: FORMAT, ...this.#describe() });
    const written = this.#replace(text);
    this.#writing = written.catch(() => {});
    return written;
  }

  /** @param {string} text */
  async #replace(text) {
    const before = stampOf(this.#file);
    try {
      await writeFileAtomic(this.#file, text);
      this.#stamp = stampOf(this.#file);
    } finally {
      // Also if it failed late: an earlier copy must not outlive the file.
      if (stampOf(this.#file) !== before) await writeCopy(this.#file, text);
    }
  }
}

/**
 * Saving does not depend on it; but no copy is better than an earlier state, in which an app runs that
 * was stopped since.
 * @param {string} file
 * @param {string} text
 */
async function writeCopy(file, text) {
  const temporary = `${copyOf(file)}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600 });
    await rename(temporary, copyOf(file));
  } catch {
    for (const left of [temporary, copyOf(file)]) await rm(left, { force: true }).catch(() => {});
  }
}

/** @param {string} file @returns {string | null} which changes when anything changes the file; null: missing */
function stampOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : null;
}
