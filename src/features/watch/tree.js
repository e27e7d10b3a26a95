/** Watches directories and all below them: one watch sees all files of a directory, so no file is looked at before it changes. */
import { watch } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isOfSystem } from '../../shared/files/inspect-path.js';
import { isWithin } from './filter.js';

/**
 * @import { Dirent, FSWatcher, Stats } from 'node:fs'
 *
 * @typedef {'system' | 'missing' | 'device' | 'limit' | 'inotify'} Trouble why something is not watched: it belongs to the
 *   system, is not there (yet), is on another file system, exceeds a limit of ours, or one of the system
 *
 * @typedef {{shown: string, real: string, root: {shown: string, real: string, dev: number}}} Place shown: the path by which
 *   the user knows it; real: without links
 *
 * @typedef {object} TreeOptions
 * @property {(shown: string, real: string) => boolean} ignores
 * @property {(shown: string, real: string) => void} onChange of a file, or of what a directory contains
 * @property {(trouble: Trouble, path: string | null) => void} onTrouble null: it is over
 * @property {typeof LIMITS} [limits]
 */

/** Few projects have a tenth of these. */
const LIMITS = { directories: 20_000, entries: 2_000_000 };
const MISSING_MS = 1000;

export class WatchedTree {
  #ignores;
  #onChange;
  #onTrouble;
  #limits;
  /** By the path that is shown. @type {Map<string, {watcher: FSWatcher, id: string}>} */
  #watched = new Map();
  /** The identities of what is watched, since links may lead to a directory twice, or round in circles. */
  #ids = new Set();
  /** One after the other: what was moved is forgotten in its old place before it is found in the new one. */
  #work = Promise.resolve();
  #unchecked = new Set();
  /** The system refuses more watches. */
  #isFull = false;

  /** @param {TreeOptions} options */
  constructor({ ignores, onChange, onTrouble, limits = LIMITS }) {
    this.#ignores = ignores;
    this.#onChange = onChange;
    this.#onTrouble = onTrouble;
    this.#limits = limits;
  }

  get size() {
    return this.#watched.size;
  }

  /** @param {string} shown an absolute path @returns {Promise<void>} when all that is there is watched */
  add(shown) {
    return this.#afterOthers(async () => {
      const { real, found } = await resolve(shown);
      if (!found) return this.#await(shown);
      if (isOfSystem(real)) return this.#onTrouble('system', shown);
      await this.#watchAll({ shown, real, root: { shown, real, dev: found.dev } });
    });
  }

  close() {
    for (const { watcher } of this.#watched.values()) watcher.close();
  }

  /** @param {() => Promise<void>} step */
  #afterOthers(step) {
    // What fails has gone meanwhile, or may not be read.
    this.#work = this.#work.then(step).catch(() => {});
    return this.#work;
  }

  /** @param {string} shown */
  #await(shown) {
    this.#onTrouble('missing', shown);
    const look = async () => {
      if (!(await stat(shown).catch(() => null))) return this.#await(shown);
      this.#onTrouble('missing', null);
      await this.add(shown);
      this.#onChange(shown, shown);
    };
    setTimeout(look, MISSING_MS).unref();
  }

  /** Breadth first, and links last, so that what is near uses up the limits first. @param {Place} first */
  async #watchAll(first) {
    const places = [first];
    /** @type {Place[]} */
    const linked = [];
    let entries = 0;
    for (const place of places) {
      for await (const entry of this.#open(place)) {
        entries += 1;
        const isDirectory = entry.isDirectory();
        const next = childOf(place, entry.name);
        if (!(isDirectory || entry.isSymbolicLink()) || this.#ignores(next.shown, next.real))
          continue;
        if (entries > this.#limits.entries || places.length > this.#limits.directories) {
          this.#onTrouble('limit', next.shown);
          break;
        }
        if (isDirectory) places.push(next);
        else linked.push(...(await followLink(next)));
      }
      if (place === places.at(-1)) places.push(...linked.splice(0));
    }
  }

  /** Watches it before it reads it, so that nothing is missed. @param {Place} place @returns {AsyncGenerator<Dirent>} */
  async *#open(place) {
    const found = await ifThere(stat(place.real));
    if (!found || !this.#watch(place, found) || !found.isDirectory()) return;
    yield* (await ifThere(opendir(place.real))) ?? [];
  }

  /** @param {Place} place @param {Stats} found @returns {boolean} whether it is watched, since now */
  #watch(place, found) {
    const { shown, real, root } = place;
    const id = idOf(found);
    if (this.#isFull || this.#ids.has(id) || this.#watched.has(shown)) return false;
    if (found.dev !== root.dev) this.#onTrouble('device', shown);
    else if (this.#watched.size >= this.#limits.directories) this.#onTrouble('limit', shown);
    else {
      try {
        const watcher = watch(real, (type, name) => this.#note(place, type, name));
        watcher.on('error', () => this.#forget(shown));
        this.#watched.set(shown, { watcher, id });
        this.#ids.add(id);
        return true;
      } catch (error) {
        const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
        this.#isFull = ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM'].includes(code);
        if (this.#isFull) this.#onTrouble('inotify', shown);
      }
    }
    return false;
  }

  /** @param {Place} place @param {string} type @param {string | null} name in it, or its own */
  #note(place, type, name) {
    const isOwn = name === null || name === path.basename(place.real);
    const changed = isOwn ? place : childOf(place, name);
    if (this.#ignores(changed.shown, changed.real)) return;
    this.#onChange(changed.shown, changed.real);
    if (type !== 'rename') return;
    this.#check(changed, isOwn);
    // A directory may contain one of its own name.
    if (isOwn && name !== null) this.#check(childOf(place, name), false);
  }

  /** @param {Place} place that was made, moved or removed @param {boolean} isOver its watch may see nothing any more */
  #check(place, isOver) {
    const { shown } = place;
    if (isOver) this.#afterOthers(async () => this.#forget(shown));
    if (this.#unchecked.has(shown)) return;
    this.#unchecked.add(shown);
    this.#afterOthers(() => this.#watchAgain(place, isOver));
  }

  /** @param {Place} place @param {boolean} wasFile that was watched itself */
  async #watchAgain(place, wasFile) {
    const { shown, root } = place;
    this.#unchecked.delete(shown);
    if (shown === root.shown) {
      if (!this.#watched.has(shown)) this.add(shown);
      return;
    }
    const found = await ifThere(lstat(shown));
    if (this.#watched.get(shown)?.id !== (found && idOf(found))) this.#forget(shown);
    if (found?.isSymbolicLink()) {
      for (const each of await followLink(place)) await this.#watchAll(each);
    } else if (found && (wasFile || found.isDirectory())) await this.#watchAll(place);
  }

  /** @param {string} shown it and what is below it */
  #forget(shown) {
    if (!this.#watched.has(shown)) return;
    for (const [each, { watcher, id }] of this.#watched) {
      if (!isWithin(shown, each)) continue;
      watcher.close();
      this.#watched.delete(each);
      this.#ids.delete(id);
    }
  }
}

/** @param {Place} place @param {string} name @returns {Place} */
function childOf({ shown, real, root }, name) {
  return { shown: path.join(shown, name), real: path.join(real, name), root };
}

/**
 * @param {Place} link
 * @returns {Promise<Place[]>} where it leads, unless the root is there too, or what is no file of a program
 */
async function followLink({ shown, root }) {
  const { real, found } = await resolve(shown);
  if (!found || isOfSystem(real) || isWithin(real, root.real)) return [];
  return found.isFile() || found.isDirectory() ? [{ shown, real, root }] : [];
}

/** @param {string} shown */
async function resolve(shown) {
  const real = (await ifThere(realpath(shown))) ?? shown;
  return { real, found: await ifThere(stat(real)) };
}

/** @template T @param {Promise<T>} asked of the file system, which may refuse it */
function ifThere(asked) {
  return asked.catch(() => undefined);
}

/** @param {Stats} stats */
function idOf({ dev, ino }) {
  return `${dev}:${ino}`;
}
