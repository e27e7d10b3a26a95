/** What is wanted, on disk: it survives the daemon, the primaries and the machine. */
import { readFileSync, renameSync } from 'node:fs';
import { completeSpec } from '../config/defaults.js';
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
 * @param {string} file
 * @param {import('./log.js').Log} log
 * @returns {DesiredApp[]} nothing when the file does not exist, or is set aside as unreadable
 */
export function loadDesired(file, log) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
  try {
    const { format, apps } = JSON.parse(text);
    if (format !== FORMAT || !Array.isArray(apps)) throw new Error(`format ${format}`);
    return apps.map(completed);
  } catch (error) {
    renameSync(file, `${file}.unreadable`);
    log(`${file} is unreadable and was set aside: ${/** @type {Error} */ (error).message}`);
    return [];
  }
}

/**
 * @param {DesiredApp} app
 * @returns {DesiredApp}
 */
function completed(app) {
  const { spec, attempt } = app;
  const newer = attempt && { ...attempt, spec: completeSpec(attempt.spec) };
  return { ...app, spec: completeSpec(spec), attempt: newer };
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
   * @param {() => DesiredApp[]} describe the present state
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
    const text = JSON.stringify({ format: FORMAT, apps: this.#describe() });
    const written = writeFileAtomic(this.#file, text);
    this.#writing = written.catch(() => {});
    return written;
  }
}
