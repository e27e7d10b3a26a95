/** Daemon and primaries look after the files by which they are found: when something beside these changes, and rarely. */
import { watch } from 'node:fs';

/** @import { FSWatcher } from 'node:fs' */

/** ms between a change, or a look that has not helped, and the next look. */
const SOON_MS = 2000;
/** A directory above may have been renamed, or one in a network be changed elsewhere. */
const RARE_MS = 30_000;

/** ms within which a running process has restored them, even on a busy machine, where a watch reports their loss. */
export const HEALED_MS = 3 * SOON_MS;

export class Keeper {
  #directories;
  #restore;
  #onTrouble;
  /** @type {FSWatcher[]} */
  #watchers = [];
  #isOver = false;
  #trouble = '';
  /** Within SOON_MS. */
  #isNextSoon = false;
  #looking = Promise.resolve();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {readonly string[]} directories
   * @param {() => Promise<boolean | void>} restore true: something is still missing
   * @param {(reason: string) => void} onTrouble called when it throws, once for each reason
   */
  constructor(directories, restore, onTrouble) {
    this.#directories = new Set(directories);
    this.#restore = restore;
    this.#onTrouble = onTrouble;
    this.#lookAgain(!this.#watch());
  }

  /** @returns {Promise<void>} when the last look restores nothing any more */
  async end() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    await this.#looking;
  }

  /** @returns {boolean} false: one is not there, or the system allows no further watch */
  #watch() {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
    const onChange = () => this.#lookAgain(true);
    try {
      for (const directory of this.#directories) {
        const watcher = watch(directory, { persistent: false }, onChange);
        this.#watchers.push(watcher.on('error', onChange));
      }
      return true;
    } catch {
      return false;
    }
  }

  /** @param {boolean} isSoon */
  #lookAgain(isSoon) {
    if (this.#isOver || this.#isNextSoon) return;
    this.#isNextSoon = isSoon;
    clearTimeout(this.#timer);
    const look = () => {
      this.#looking = this.#looking.then(() => this.#look());
    };
    this.#timer = setTimeout(look, isSoon ? SOON_MS : RARE_MS).unref();
  }

  async #look() {
    if (this.#isOver) return;
    this.#isNextSoon = false;
    // Before it, so that no change is missed; anew, since there may be another directory.
    let isWell = this.#watch();
    try {
      if (await this.#restore()) isWell = false;
      this.#trouble = '';
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (message !== this.#trouble && !this.#isOver) this.#onTrouble(message);
      this.#trouble = message;
      isWell = false;
    }
    this.#lookAgain(!isWell);
  }
}
