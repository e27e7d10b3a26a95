/** The copies of this package from which something runs: others are removed, and what somebody removes of them is restored. */
import { lstatSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { attempt } from '../errors/error.js';
import { writeFileAtomic } from '../shared/files/atomic-file.js';
import { makeDirectory } from '../shared/files/directories.js';
import { listDirectory } from '../shared/files/inspect-path.js';
import { PACKAGE_ROOT } from '../shared/package/root.js';

/** @import { Daemon } from './daemon.js' */

/** ms; a daemon that takes over has a minute to start. */
const JUST_USED_MS = 600_000;

/** Without them no worker, primary or daemon could be started, so their contents stay in memory (1.4 MB). */
export class KeptCopies {
  /** By root. @type {Map<string, ReturnType<typeof readContents>>} */
  #copies = new Map();

  /** @param {string} versions the directory of all copies */
  constructor(versions) {
    this.versions = versions;
  }

  /**
   * Forgets all others, and a package that is not a copy. Resolves when their contents are in memory.
   * @param {readonly (string | undefined)[]} roots from which something runs
   */
  keep(roots) {
    const before = this.#copies;
    this.#copies = new Map();
    for (const root of roots.map((each) => path.resolve(each ?? ''))) {
      if (path.dirname(root) === this.versions)
        this.#copies.set(root, before.get(root) ?? readContents(root));
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
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const contents = [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const reading = entry.isSymbolicLink() ? readlink(file) : readFile(file);
    const content = await reading.catch(() => null); // a directory
    if (content !== null) contents.push({ file, content });
  }
  return contents;
}

/** @param {Pick<Daemon, 'paths' | 'table'>} daemon */
export function removeUnusedCopies({ paths: { versions }, table }) {
  const roots = table.primaries.all().map(({ record }) => record?.root);
  // A primary that was found by its socket, as after a full disk, may run from any of them.
  if (roots.some((root) => !root)) return;
  const used = [PACKAGE_ROOT, ...roots].map((root) => path.resolve(root ?? ''));
  const copies = listDirectory(versions).map((name) => path.join(versions, name));
  for (const copy of copies.filter((each) => !used.includes(each))) {
    // If another daemon removes it too, the next one tries again.
    attempt(() => {
      // Something may be about to run from it.
      const isJustUsed = Date.now() - statSync(copy).mtimeMs < JUST_USED_MS;
      if (!isJustUsed) rmSync(copy, { recursive: true, force: true });
    }, null);
  }
}
