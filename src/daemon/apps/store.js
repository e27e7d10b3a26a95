/** What is wanted, on disk: it survives the daemon, the primaries and the machine. */
import { copyFileSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { NodeclusterError } from '../../errors/error.js';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { readDesired } from '../control/validate.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Log } from '../log.js'
 * @import { Attempt } from './app.js'
 */

const FORMAT = 1;

/**
 * @typedef {object} DesiredApp
 * @property {Spec} spec
 * @property {number} generation
 * @property {boolean} stopped
 * @property {number[]} slots
 * @property {number[]} stoppedSlots
 * @property {Record<number, number>} ids by slot
 * @property {Attempt | null} attempt
 */

/**
 * @typedef {object} Desired
 * @property {DesiredApp[]} apps
 * @property {number} nextId the lowest number that was never the id of a worker
 */

/**
 * @param {string} file
 * @param {Log} log
 * @returns {Desired} without apps when the file does not exist; what cannot be understood is left
 *   out, and a copy of the file set aside
 * @throws {NodeclusterError} E_HOME_READ
 */
export function loadDesired(file, log) {
  try {
    const { format, apps, nextId } = JSON.parse(readFileSync(file, 'utf8'));
    if (format !== FORMAT || !Array.isArray(apps)) throw new Error(`format ${format}`);
    const sound = apps.map(readDesired).filter((app) => app !== null);
    if (sound.length < apps.length) {
      copyFileSync(file, `${file}.unreadable`);
      const reason = `${apps.length - sound.length} apps are not understood; a copy was set aside`;
      log.error('state.unreadable', { file, reason });
    }
    return { apps: sound, nextId: Math.max(nextId ?? 0, aboveAll(sound)) };
  } catch (error) {
    setAside(file, /** @type {NodeJS.ErrnoException} */ (error), log);
    return { apps: [], nextId: 0 };
  }
}

/**
 * @param {string} file
 * @param {NodeJS.ErrnoException} error what reading it came to
 * @param {Log} log
 */
function setAside(file, { code, message }, log) {
  if (code === 'ENOENT') return;
  if (code && code !== 'EISDIR') throw new NodeclusterError('E_HOME_READ', { file, reason: code });
  const aside = `${file}.unreadable`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(file, aside);
  log.error('state.unreadable', { file, reason: `set aside: ${message}` });
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
