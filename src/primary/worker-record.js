/**
 * Who the workers are, on disk. A primary that is killed leaves those that do not depend on its
 * channel (fork mode, a blocked event loop); the next one ends them before it starts its own,
 * or the program would run twice.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomic } from '../shared/atomic-file.js';
import { identify, isAlive } from '../shared/process-identity.js';

/** How often it is looked whether a left worker has gone, in milliseconds. */
const LOOK_EVERY_MS = 50;

/**
 * @typedef {import('../shared/process-identity.js').ProcessIdentity & {ownsGroup: boolean}} Recorded
 */

export class WorkerRecord {
  #written = '';
  #isWriting = false;

  /** @param {string} file */
  constructor(file) {
    this.file = file;
  }

  /** @param {Iterable<import('./worker-handle.js').WorkerHandle>} workers all that there are */
  update(workers) {
    const pids = [...workers].filter((worker) => worker.pid !== null);
    const text = JSON.stringify(
      pids.map((worker) => ({
        ...identify(/** @type {number} */ (worker.pid)),
        ownsGroup: worker.ownsGroup ?? false,
      })),
    );
    if (text === this.#written) return;
    this.#written = text;
    if (!this.#isWriting) this.#write();
  }

  async #write() {
    this.#isWriting = true;
    let text;
    do {
      text = this.#written;
      // A full disk must not end the primary; the next change tries again.
      await writeFileAtomic(this.file, text).catch(() => {});
    } while (text !== this.#written);
    this.#isWriting = false;
  }
}

/**
 * @param {string} file the record of a primary that is gone
 * @param {object} how
 * @param {NodeJS.Signals} how.signal
 * @param {number} how.timeoutMs until SIGKILL
 * @returns {Promise<void>} when none of them is left
 */
export async function endLeftovers(file, { signal, timeoutMs }) {
  const left = read(file).filter(isAlive);
  for (const worker of left) send(worker, signal);
  const deadline = performance.now() + timeoutMs;
  while (left.some(isAlive) && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  for (const worker of left) if (isAlive(worker)) send(worker, 'SIGKILL');
}

/**
 * @param {string} file
 * @returns {Recorded[]}
 */
function read(file) {
  try {
    const recorded = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(recorded) ? recorded.filter((entry) => entry?.startTime) : [];
  } catch {
    return [];
  }
}

/**
 * @param {Recorded} worker
 * @param {NodeJS.Signals} signal
 */
function send({ pid, ownsGroup }, signal) {
  try {
    process.kill(ownsGroup ? -pid : pid, signal);
  } catch {
    // It ended in between.
  }
}
