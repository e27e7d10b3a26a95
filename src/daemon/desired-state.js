/** What is wanted, on disk: it survives the daemon, the primaries and the machine. */
import { readFileSync, renameSync } from 'node:fs';
import { writeFileAtomic } from '../shared/atomic-file.js';

const FORMAT = 1;

/**
 * @typedef {object} DesiredApp
 * @property {import('./app.js').Spec} spec
 * @property {number} generation
 * @property {boolean} stopped
 * @property {number[]} slots
 * @property {number[]} stoppedSlots
 * @property {Record<number, number>} ids by slot
 * @property {import('./app.js').Attempt | null} attempt
 */

/**
 * @typedef {object} Desired
 * @property {DesiredApp[]} apps
 * @property {number} nextId the lowest number that was never the id of a worker
 */

/**
 * @param {string} file
 * @param {import('./log.js').Log} log
 * @returns {Desired} without apps when the file does not exist, or is set aside as unreadable
 */
export function loadDesired(file, log) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return nothing();
    throw error;
  }
  try {
    const { format, apps, nextId = aboveAll(apps) } = JSON.parse(text);
    if (format !== FORMAT || !Array.isArray(apps)) throw new Error(`format ${format}`);
    return { apps, nextId };
  } catch (error) {
    renameSync(file, `${file}.unreadable`);
    log(`${file} is unreadable and was set aside: ${/** @type {Error} */ (error).message}`);
    return nothing();
  }
}

/** @returns {Desired} */
function nothing() {
  return { apps: [], nextId: 0 };
}

/**
 * For a file of the time when ids were counted anew.
 * @param {DesiredApp[]} apps
 */
function aboveAll(apps) {
  return Math.max(-1, ...apps.flatMap(({ ids }) => Object.values(ids))) + 1;
}

/** Writes one state after another; of those that pile up meanwhile only the last. */
export class DesiredStore {
  #file;
  #describe;
  /** @type {Promise<void>} */
  #writing = Promise.resolve();
  /** @type {Promise<void> | null} a write that has not begun, so that it will see all changes */
  #next = null;

  /**
   * @param {string} file
   * @param {() => Desired} describe the present state
   */
  constructor(file, describe) {
    this.#file = file;
    this.#describe = describe;
  }

  /** @returns {Promise<void>} when the state as it is now is on the disk */
  save() {
    this.#next ??= this.#writing.then(() => this.#write());
    return this.#next;
  }

  #write() {
    this.#next = null;
    const text = JSON.stringify({ format: FORMAT, ...this.#describe() });
    const written = writeFileAtomic(this.#file, text);
    this.#writing = written.catch(() => {});
    return written;
  }
}
