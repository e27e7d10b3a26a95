/**
 * The copies of this package from which something runs. A cleaner, or a user, may remove them, and
 * then no worker, primary or daemon could be started. So their contents stay in memory (1.4 MB).
 */
import { existsSync } from 'node:fs';
import { readFile, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../../shared/files/make-directory.js';

/** @typedef {Map<string, Buffer>} Contents by absolute path */

export class KeptCopies {
  #versions;
  /** @type {Map<string, Promise<Contents>>} by root */
  #copies = new Map();

  /** @param {string} versions the directory of all copies */
  constructor(versions) {
    this.#versions = versions;
  }

  /**
   * Forgets all others.
   * @param {readonly (string | undefined)[]} roots from which something runs; a package that is not a
   *   copy is not kept
   */
  keep(roots) {
    const used = new Set(roots.map((root) => path.resolve(root ?? '')));
    for (const root of this.#copies.keys()) if (!used.has(root)) this.#copies.delete(root);
    for (const root of used) {
      const isKept = this.#copies.has(root) || path.dirname(root) !== this.#versions;
      if (!isKept) this.#copies.set(root, readContents(root));
    }
  }

  /** @returns {Promise<number>} how many files were missing and have been restored */
  async restore() {
    const contents = await Promise.all(this.#copies.values());
    const missing = contents.flatMap((files) => [...files]).filter(([file]) => !existsSync(file));
    for (const [file, content] of missing) await restoreFile(file, content);
    return missing.length;
  }
}

/** @param {string} root @returns {Promise<Contents>} what can be read: nothing must depend on it */
async function readContents(root) {
  const options = /** @type {const} */ ({ recursive: true, withFileTypes: true });
  const entries = await readdir(root, options).catch(() => []);
  /** @type {Contents} */
  const contents = new Map();
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file).catch(() => null);
    if (content) contents.set(file, content);
  }
  return contents;
}

/** Under another name first, since a process may be loading it. @param {string} file @param {Buffer} content */
async function restoreFile(file, content) {
  const temporary = `${file}.${process.pid}.tmp`;
  await makeDirectory(path.dirname(file), 0o700);
  await writeFile(temporary, content, { mode: 0o600 });
  await rename(temporary, file);
}
