/**
 * The files of unix sockets. Most programs unlink their socket's path before they listen, in case a
 * stale file is there. The second worker thereby removes the file of the first, and since all share
 * the primary's one socket, none binds a new one: no client can reach the app any more. So each
 * file has a second, hidden link beside it, from which it is restored.
 */
import { linkSync, lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** @import { TcpHandle } from '../policies/listening-socket.js' */

export class UnixPaths {
  /** @type {Map<TcpHandle, {path: string, spare: string, inode: number}>} */
  #files = new Map();

  /** @param {string} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * @param {string} path
   * @param {TcpHandle} handle that has just been bound to it
   * @returns {boolean} false: the file has been removed already. True also on a file system without
   *   links
   */
  protect(path, handle) {
    // The same name each time: this replaces what a killed primary left.
    const spare = join(dirname(path), `.${basename(path)}.${this.app}`);
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
      try {
        if (!lstatSync(path, { throwIfNoEntry: false })) linkSync(spare, path);
      } catch {
        // Its directory was removed, or another process was faster.
      }
    }
  }

  /** @param {TcpHandle} handle that is closed */
  forget(handle) {
    const file = this.#files.get(handle);
    this.#files.delete(handle);
    try {
      // It may belong to another socket by now.
      if (file && lstatSync(file.spare).ino === file.inode) rmSync(file.spare);
    } catch {
      // It has been removed already.
    }
  }
}
