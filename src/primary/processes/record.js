/** This primary and its workers on disk, where the next daemon finds them if it is killed. */
import { lstat, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { removeUnfinished, writeFileAtomic } from '../../shared/files/atomic-file.js';
import { identify } from '../../shared/processes/identity.js';
import { makeDirectory } from '../../shared/files/directories.js';
import { readPidFile } from '../../shared/files/small-file.js';
import { mayBeThere } from '../../shared/unix-socket.js';
import { pathOfSlot } from '../../shared/log-files/log-paths.js';
import { logInPrimary } from '../log/primary-log.js';

/**
 * @import { PrimaryRecord, ProcessIdentity, RecordedWorker } from '../../shared/processes/records.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { App } from '../pool/app.js'
 */

export class RecordFile {
  #file;
  #record;
  /** @type {Map<string, RecordedWorker[]>} */
  #apps = new Map();
  #latest;
  /** @type {Promise<void> | null} */
  #writing = null;
  /** Each is read once: with many workers there are many changes. @type {WeakMap<WorkerHandle, ProcessIdentity>} */
  #identities = new WeakMap();

  /** @param {string} file @param {PrimaryRecord} record of this primary, without apps */
  constructor(file, record) {
    removeUnfinished(file);
    this.#file = file;
    this.#record = record;
    this.#latest = JSON.stringify(record);
  }

  /**
   * @param {string} app
   * @param {Iterable<WorkerHandle>} workers
   * @param {readonly RecordedWorker[]} previous another primary's
   * @returns {Promise<void> | null} when they are on the disk; null: they are
   */
  update(app, workers, previous) {
    const own = [...workers].flatMap((worker) => {
      const { pid, slot, generation, mark, ownsGroup } = worker;
      if (pid === null) return [];
      const identity = this.#identities.get(worker) ?? identify(pid);
      if (identity !== null) this.#identities.set(worker, identity);
      return [{ .../** @type {ProcessIdentity} */ (identity), slot, generation, mark, ownsGroup }];
    });
    this.#apps.set(app, [...previous, ...own]);
    return this.#change();
  }

  /** @param {string} app that has ended */
  forget(app) {
    this.#apps.delete(app);
    void this.#change();
  }

  /** @returns {Promise<boolean>} whether the file has it; true also if that is not clear */
  async isThere() {
    try {
      const found = await lstat(this.#file);
      if (!found.isFile() || this.#writing !== null) return true;
      const isWhole = found.size === Buffer.byteLength(this.#latest);
      return isWhole && (await readFile(this.#file, 'utf8')) === this.#latest;
    } catch (error) {
      return mayBeThere(error);
    }
  }

  /** @returns {Promise<void>} when it is on the disk, or that has failed */
  write() {
    this.#writing ??= this.#writeLatest().finally(() => (this.#writing = null));
    return this.#writing;
  }

  /** @returns {Promise<void>} when nothing is being written: a process that exits then leaves no part of a file */
  async whenIdle() {
    while (this.#writing !== null) await this.#writing;
  }

  #change() {
    const text = JSON.stringify({ ...this.#record, apps: Object.fromEntries(this.#apps) });
    if (text === this.#latest) return this.#writing;
    this.#latest = text;
    return this.write();
  }

  async #writeLatest() {
    let text;
    do {
      text = this.#latest;
      // A full disk must not crash the primary; the next change tries again.
      await writeFileAtomic(this.#file, text).catch(() => {});
    } while (text !== this.#latest);
  }
}

/** Everybody may read a pid. */
const MODE = 0o644;

/** The files of `pid_file`: each contains the pid of one worker, for tools that look there. */
export class PidFiles {
  /** Pids by path, as the last `update` says. @type {ReadonlyMap<string, number>} */
  #pids = new Map();
  /** Resolves when the files are as the last `update` says. */
  idle = Promise.resolve();

  /** @param {ReadonlyMap<string, number>} pids by path; other files of earlier calls are removed */
  update(pids) {
    const before = this.#pids;
    this.#pids = pids;
    for (const file of new Set([...before.keys(), ...pids.keys()])) {
      const [pid, written] = [pids.get(file), before.get(file)];
      if (pid === written) continue;
      this.idle = this.idle
        .then(() => writePid(file, pid, written))
        .catch(({ message }) => logInPrimary(`${file}: ${message}`));
    }
  }
}

/** The pids of its workers, by the path of their `pid_file`. @param {Pick<App, 'pool' | 'launch'>} app */
export function pidsByPath({ pool, launch }) {
  const { pidFile } = launch.spec;
  /** @type {Map<string, number>} */
  const pids = new Map();
  if (pidFile === null) return pids;
  const isOnly = pool.slots.size === 1;
  for (const slot of pool.slots.values()) {
    const pid = slot.mainWorker?.pid ?? null;
    if (pid !== null) pids.set(isOnly ? pidFile : pathOfSlot(pidFile, slot.number), pid);
  }
  return pids;
}

/** @param {string} file @param {number | undefined} pid undefined: none @param {number | undefined} written before */
async function writePid(file, pid, written) {
  const found = readPidFile(file);
  if (pid === undefined) {
    // Another app may use the same file.
    if (found === String(written)) await rm(file, { force: true });
    return;
  }
  if (found === null) throw new Error('it contains something else than a pid');
  await makeDirectory(path.dirname(file));
  await writeFileAtomic(file, `${pid}\n`, { mode: MODE });
}
