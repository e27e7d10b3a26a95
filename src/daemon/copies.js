/**
 * The copies of this package from which something runs. A cleaner, or a user, may remove them, and then no worker,
 * primary or daemon could be started. So their contents stay in memory (1.4 MB).
 */
import { lstatSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../shared/files/atomic-file.js';
import { makeDirectory } from '../shared/files/directories.js';
import { PACKAGE_ROOT } from '../shared/package/root.js';

/** @import { Daemon } from './daemon.js' */

/** ms; a daemon that takes over has a minute to start. */
const JUST_USED_MS = 600_000;

export class KeptCopies {
  #versions;
  /** @type {Map<string, ReturnType<typeof readContents>>} by root */
  #copies = new Map();

  /** @param {string} versions the directory of all copies */
  constructor(versions) {
    this.#versions = versions;
  }

  /**
   * Forgets all others.
   * @param {readonly (string | undefined)[]} roots from which something runs; a package that is not a
   *   copy is not kept
   * @returns {Promise<unknown>} when their contents are in memory
   */
  keep(roots) {
    const used = new Set(roots.map((root) => path.resolve(root ?? '')));
    for (const root of this.#copies.keys()) if (!used.has(root)) this.#copies.delete(root);
    for (const root of used) {
      const isKept = this.#copies.has(root) || path.dirname(root) !== this.#versions;
      if (!isKept) this.#copies.set(root, readContents(root));
    }
    return Promise.all(this.#copies.values());
  }

  /** @returns {Promise<number>} how many files were missing and have been restored */
  async restore() {
    const contents = (await Promise.all(this.#copies.values())).flat();
    const missing = contents.filter(({ file }) => !lstatSync(file, { throwIfNoEntry: false }));
    for (const { file, content } of missing) {
      await makeDirectory(path.dirname(file), 0o700);
      if (typeof content === 'string') symlinkSync(content, file);
      else await writeFileAtomic(file, content); // a process may be loading it
    }
    return missing.length;
  }
}

/** Nothing must depend on what of it can be read. @param {string} root */
async function readContents(root) {
  const options = /** @type {const} */ ({ recursive: true, withFileTypes: true });
  const entries = await readdir(root, options).catch(() => []);
  const contents = [];
  for (const entry of entries.filter((each) => !each.isDirectory())) {
    const file = path.join(entry.parentPath, entry.name);
    const reading = entry.isSymbolicLink() ? readlink(file) : readFile(file);
    const content = await reading.catch(() => null);
    if (content !== null) contents.push({ file, content });
  }
  return contents;
}

/** @param {Pick<Daemon, 'paths' | 'table'>} daemon */
export function removeUnusedCopies({ paths: { versions }, table }) {
  const links = table.all().map(({ link }) => link);
  const roots = links.filter(({ state }) => state !== 'none').map(({ record }) => record?.root);
  try {
    for (const name of readdirSync(versions)) {
      const copy = path.join(versions, name);
      // A primary that was found by its socket, as after a full disk, may run from any of them.
      const isUsed = [PACKAGE_ROOT, ...roots].some((root) => !root || path.resolve(root) === copy);
      // Something may be about to run from it.
      const isJustUsed = Date.now() - statSync(copy).mtimeMs < JUST_USED_MS;
      if (!isUsed && !isJustUsed) rmSync(copy, { recursive: true, force: true });
    }
  } catch {
    // There are none, or one is being removed; the next daemon tries again.
  }
}
