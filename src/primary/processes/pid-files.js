/** The files of `pid_file`: each contains the pid of one worker, for tools that look there. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { isPidFile } from '../../shared/processes/pid-file.js';
import { logInPrimary } from '../log/primary-log.js';

/** Everybody may read the pid. */
const MODE = 0o644;

export class PidFiles {
  /** Pids by path. @type {ReadonlyMap<string, number>} */
  #desired = new Map();
  /** What is in the files, or could not be written. @type {Map<string, number>} */
  #actual = new Map();
  /** @type {Promise<void> | null} */
  #work = null;

  /** @param {ReadonlyMap<string, number>} pids by path; other files of earlier calls are removed */
  update(pids) {
    this.#desired = pids;
    this.#work ??= this.#apply().finally(() => (this.#work = null));
  }

  /** @returns {Promise<void>} when the files are as the last `update` says */
  async whenIdle() {
    while (this.#work !== null) await this.#work;
  }

  async #apply() {
    for (let next = this.#nextPath(); next !== undefined; next = this.#nextPath()) {
      const pid = this.#desired.get(next);
      if (pid === undefined) this.#actual.delete(next);
      else this.#actual.set(next, pid);
      await writePid(next, pid).catch(({ message }) => logInPrimary(`${next}: ${message}`));
    }
  }

  #nextPath() {
    const paths = [...this.#actual.keys(), ...this.#desired.keys()];
    return paths.find((each) => this.#actual.get(each) !== this.#desired.get(each));
  }
}

/**
 * @param {string} file as in the settings
 * @param {number} slot
 * @param {boolean} isOnly the app has one worker
 * @returns {string} `api.pid`, or `api-1.pid` if there are several workers
 */
export function pidPath(file, slot, isOnly) {
  if (isOnly) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${slot}${ext}`);
}

/** @param {string} file @param {number | undefined} pid undefined: the worker has exited */
async function writePid(file, pid) {
  if (!isPidFile(file)) throw new Error('it contains something else than a pid');
  if (pid === undefined) return rm(file, { force: true });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFileAtomic(file, `${pid}\n`, { mode: MODE });
}
