/**
 * The copies of this package from which something runs. A cleaner, or a user, may remove or change them,
 * and then no worker, primary or daemon could be started. So their contents stay in memory (1.4 MB).
 */
import { lstatSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../shared/files/atomic-file.js';
import { makeDirectory } from '../shared/files/directories.js';
import { PACKAGE_ROOT } from '../shared/package/root.js';
import { identify, isAlive } from '../shared/processes/identity.js';
import { readRecord } from '../shared/processes/primary-record.js';

/** @import { Daemon } from './daemon.js' */

/** ms; a daemon that takes over has a minute to start. */
const JUST_USED_MS = 600_000;

/** @typedef {Map<string, {content: Buffer | string, state: string | null}>} Contents by absolute path; a string: where a link leads; state: of the file with that content */

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

  /** @returns {Promise<number>} how many files were missing or changed and have been restored */
  async restore() {
    const contents = (await Promise.all(this.#copies.values())).flatMap((files) => [...files]);
    const changed = contents.filter(([file, { state }]) => stateOf(file) !== state);
    for (const [file, kept] of changed) {
      await makeDirectory(path.dirname(file), 0o700);
      if (typeof kept.content === 'string') {
        rmSync(file, { force: true });
        symlinkSync(kept.content, file);
      } else {
        // A process may be loading it.
        await writeFileAtomic(file, kept.content);
      }
      kept.state = stateOf(file);
    }
    return changed.length;
  }
}

/** @param {string} root @returns {Promise<Contents>} what can be read: nothing must depend on it */
async function readContents(root) {
  const options = /** @type {const} */ ({ recursive: true, withFileTypes: true });
  const entries = await readdir(root, options).catch(() => []);
  /** @type {Contents} */
  const contents = new Map();
  for (const entry of entries.filter((each) => !each.isDirectory())) {
    const file = path.join(entry.parentPath, entry.name);
    const state = stateOf(file);
    const reading = entry.isSymbolicLink() ? readlink(file) : readFile(file);
    const content = await reading.catch(() => null);
    if (content) contents.set(file, { content, state });
  }
  return contents;
}

/** @param {string} file @returns {string | null} null: it is missing */
function stateOf(file) {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.mtimeMs}` : null;
}

/** @param {Pick<Daemon, 'paths' | 'table'>} daemon */
export function removeUnusedCopies({ paths: { versions, appsDir, app }, table }) {
  // A primary that was found by its socket, as after a full disk, may run from any of them.
  const isUnclear = table.all().some(({ link }) => link.state !== 'none' && !link.record?.root);
  if (isUnclear) return;
  try {
    const files = readdirSync(appsDir).flatMap((name) => [app(name).record, app(name).nextRecord]);
    const records = files.map((file) => readRecord(file));
    // A primary that cannot be recognized may run from any of them.
    if (records.some(({ kind }) => kind === 'unsound')) return;
    const used = records.flatMap((found) =>
      found.kind === 'sound' && isAlive(found.record) ? (found.record.root ?? []) : [],
    );
    const roots = [PACKAGE_ROOT, ...used].map((root) => path.resolve(root));
    const copies = readdirSync(versions).filter((name) => !isBeingMade(name));
    for (const copy of copies.map((name) => path.join(versions, name))) {
      // Something may be about to run from it.
      const isJustUsed = Date.now() - statSync(copy).mtimeMs < JUST_USED_MS;
      if (!roots.includes(copy) && !isJustUsed) rmSync(copy, { recursive: true, force: true });
    }
  } catch {
    // There are none, or one is being removed; the next daemon tries again.
  }
}

/** @param {string} name */
function isBeingMade(name) {
  const [, maker] = /\.(\d+)\.tmp$/.exec(name) ?? [];
  return maker !== undefined && identify(Number(maker)) !== null;
}
