/**
 * The files of unix sockets. Most programs unlink their socket's path before they listen, so that a
 * stale file is no obstacle. Of several workers the second thereby removes the file of the first,
 * and since all of them share the primary's one socket, none binds a new one: nobody can reach the
 * app any more. So each file has a second, hidden name beside it, and gets its own back by that.
 */
import { linkSync, lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** @import { TcpHandle as Handle } from './listening-socket.js' */

export class UnixPaths {
  /** @type {Map<Handle, {path: string, spare: string, inode: number}>} */
  #files = new Map();

  /** @param {string} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * @param {string} path
   * @param {Handle} handle that has just been bound to it
   * @returns {boolean} false when the file is gone already; a file system without links goes without
   */
  keep(path, handle) {
    // The same name each time: what a primary that was killed has left is replaced.
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

  /** What was removed is there again, with the mode that it had. */
  restore() {
    for (const { path, spare } of this.#files.values()) {
      try {
        if (!lstatSync(path, { throwIfNoEntry: false })) linkSync(spare, path);
      } catch {
        // Its folder is gone, or somebody else was faster.
      }
    }
  }

  /** @param {Handle} handle is closed */
  forget(handle) {
    const file = this.#files.get(handle);
    this.#files.delete(handle);
    try {
      // It may be another socket's by now.
      if (file && lstatSync(file.spare).ino === file.inode) rmSync(file.spare);
    } catch {
      // Somebody has removed it.
    }
  }
}
