/**
 * Daemon and primaries look after the files by which they are found: soon after something in the directories of
 * these has changed, and rarely without such a sign.
 */
import { statSync, watch } from 'node:fs';
import path from 'node:path';
import { attempt } from '../errors/error.js';

/** @import { FSWatcher } from 'node:fs' */

/** ms between a change, or a look that has not helped, and the next look. */
const SOON_MS = 2000;
/** A directory above may have been renamed, or that of a network be changed elsewhere. */
const RARE_MS = 30_000;

/** ms within which a running process has restored them, even on a busy machine. */
export const HEALED_MS = 3 * SOON_MS;

/**
 * @param {readonly string[]} directories
 * @param {() => Promise<boolean | void>} check restores what is missing; true: it could not yet
 * @param {(reason: string) => void} onTrouble called when it throws, once for each reason
 * @returns {() => Promise<void>} ends the checks; resolves when the last one restores nothing any more
 */
export function keepPresent(directories, check, onTrouble) {
  const keeper = new Keeper(directories, check, onTrouble);
  return () => keeper.end();
}

class Keeper {
  #places;
  #check;
  #onTrouble;
  #isOver = false;
  /** The last reason. */
  #trouble = '';
  /** Something has changed since the last check began. */
  #hasChanged = false;
  /** @type {Promise<void> | null} */
  #running = null;
  #nextMs = Infinity;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {Parameters<typeof keepPresent>} args */
  constructor(...[directories, check, onTrouble]) {
    this.#check = check;
    this.#onTrouble = onTrouble;
    const onChange = () => {
      this.#hasChanged = true;
      if (this.#running === null) this.#checkAfter(SOON_MS);
    };
    this.#places = [...new Set(directories)].map((directory) => new Place(directory, onChange));
    this.#checkLater(false);
  }

  async end() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const place of this.#places) place.close();
    await this.#running;
  }

  /** @param {boolean} isUndone */
  #checkLater(isUndone) {
    const areWatched = this.#places.map((place) => place.watch()).every(Boolean);
    this.#checkAfter(areWatched && !isUndone && !this.#hasChanged ? RARE_MS : SOON_MS);
  }

  /** @param {number} ms */
  #checkAfter(ms) {
    const atMs = performance.now() + ms;
    if (this.#nextMs <= atMs) return;
    this.#nextMs = atMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void (this.#running = this.#run()), ms).unref();
  }

  async #run() {
    this.#hasChanged = false;
    let isUndone = true;
    try {
      isUndone = (await this.#check()) ?? false;
      this.#trouble = '';
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (message !== this.#trouble && !this.#isOver) this.#onTrouble(message);
      this.#trouble = message;
    }
    this.#running = null;
    this.#nextMs = Infinity;
    if (!this.#isOver) this.#checkLater(isUndone);
  }
}

class Place {
  #directory;
  #onChange;
  /** @type {FSWatcher | null} */
  #watcher = null;
  #inode = -1;

  /** @param {string} directory @param {() => void} onChange */
  constructor(directory, onChange) {
    this.#directory = directory;
    this.#onChange = onChange;
  }

  /** @returns {boolean} false: the system allows no further watch */
  watch() {
    const inode = attempt(() => statSync(this.#directory).ino, null);
    // Of one that is not there, the directory above is watched.
    if (inode === null || (this.#watcher !== null && inode === this.#inode)) return true;
    this.close();
    this.#inode = inode;
    this.#watcher = attempt(
      () => watch(this.#directory, { persistent: false }, (_type, name) => this.#changed(name)),
      null,
    );
    this.#watcher?.on('error', () => this.close());
    return this.#watcher !== null;
  }

  /** @param {string | null} name of what has changed there; its own when it was removed or renamed itself */
  #changed(name) {
    if (name === path.basename(this.#directory)) this.close();
    this.#onChange();
  }

  close() {
    this.#watcher?.close();
    this.#watcher = null;
  }
}
