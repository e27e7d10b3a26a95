/**
 * The files of unix sockets. Most programs unlink their socket's path before they listen. The second worker thereby removes
 * the file of the first, and since all share the primary's one socket, no client could reach the app. So each file has a
 * hidden link beside it, from which it is restored, and by which the next primary knows a file that a killed one left.
 */
import { linkSync, lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../errors/error.js';
import { fingerprintOf } from '../../shared/fingerprint.js';

/** @import { TcpHandle } from './listening-sockets.js' */

export class UnixPaths {
  /** @type {Map<TcpHandle, {path: string, spare: string, inode: number}>} */
  #files = new Map();

  #owner;

  /** @param {{home: string, app: string}} owner no other primary runs for it */
  constructor({ home, app }) {
    this.#owner = `${app}.${fingerprintOf(home)}`;
  }

  /** @param {string} path that is about to be bound: removes the file of a primary that was killed */
  removeStale(path) {
    if ([...this.#files.values()].some((file) => file.path === path)) return;
    // One of them may not exist.
    attempt(() => {
      const [one, two] = [path, this.#spareOf(path)].map((each) => lstatSync(each));
      if (one.ino === two.ino && one.dev === two.dev) rmSync(path);
    }, undefined);
  }

  /**
   * False: the file has been removed already. True also on a file system without links.
   * @param {string} path
   * @param {TcpHandle} handle that has just been bound to it
   */
  protect(path, handle) {
    const spare = this.#spareOf(path);
    try {
      rmSync(spare, { force: true });
      linkSync(path, spare);
      this.#files.set(handle, { path, spare, inode: lstatSync(spare).ino });
    } catch (error) {
      return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT';
    }
    return true;
  }

  /** Restores the files that were removed, with the mode that they had. */
  restore() {
    for (const { path, spare } of this.#files.values()) {
      // Its directory may have been removed, or another process faster.
      attempt(() => lstatSync(path, { throwIfNoEntry: false }) ?? linkSync(spare, path), undefined);
    }
  }

  /** @param {string} path @returns {string} the same in every life of the app: what is there is replaced */
  #spareOf(path) {
    return join(dirname(path), `.${basename(path)}.${this.#owner}`);
  }

  /** @param {TcpHandle} handle that is closed */
  forget(handle) {
    const file = this.#files.get(handle);
    this.#files.delete(handle);
    if (!file) return;
    // It may belong to another socket by now, or have been removed already.
    attempt(() => lstatSync(file.spare).ino === file.inode && rmSync(file.spare), undefined);
  }
}
