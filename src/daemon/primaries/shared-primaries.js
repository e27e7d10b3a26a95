/**
 * The primaries that apps in fork mode share. Each of those apps has its own record, socket and
 * connection, so that everything else sees an app with a primary; only the process is the same.
 */
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { isAlive } from '../../shared/processes/identity.js';
import { requestOnce } from './connection/one-request.js';

/**
 * @import { AppPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/primary-record.js'
 */

/** One process could run more; a bug in it must not concern all apps of a machine. */
const MAX_APPS = 100;

export class SharedPrimaries {
  /** The last known record of each app. @type {Map<string, PrimaryRecord>} by name */
  #records = new Map();
  /** The start of a process, which the next apps wait for; never rejects. @type {Promise<void> | null} */
  #starting = null;

  /** @param {string} app @param {PrimaryRecord} record of its primary, found or launched */
  note(app, record) {
    if (record.isShared) this.#records.set(app, record);
    else this.#records.delete(app);
  }

  /**
   * @param {string} app
   * @param {AppPaths} paths of the app, whose launch file is written
   * @param {() => Promise<PrimaryRecord>} start starts a process for it
   * @returns {Promise<PrimaryRecord>} of the primary that the app has now
   * @throws {Error} what `start` throws
   */
  async launch(app, paths, start) {
    this.#records.delete(app);
    for (;;) {
      const joined = await this.#join(app, paths);
      if (joined !== null) return joined;
      if (this.#starting === null) break;
      await this.#starting;
    }
    const started = start();
    this.#starting = started
      .then(
        (record) => this.note(app, record),
        () => {},
      )
      .finally(() => (this.#starting = null));
    return started;
  }

  /** @param {string} app @param {AppPaths} paths @returns {Promise<PrimaryRecord | null>} null: it can join none */
  async #join(app, paths) {
    /** @type {Set<number>} */
    const refused = new Set();
    for (const [name, one] of this.#records) {
      if (refused.has(one.pid) || !this.#hasRoom(one)) continue;
      const failure = await requestOnce(one, 'host', { launch: paths.launch });
      // Its app has been deleted; another one of the same process may answer.
      if (failure === 'E_PROTOCOL_UNREACHABLE') this.#records.delete(name);
      else if (failure !== null) refused.add(one.pid);
      else {
        const record = { ...one, socket: paths.socket };
        this.note(app, record);
        return record;
      }
    }
    return null;
  }

  /** @param {PrimaryRecord} record */
  #hasRoom(record) {
    const { pid, root, node } = record;
    const apps = [...this.#records.values()].filter((each) => each.pid === pid);
    const isSame = root === PACKAGE_ROOT && node === process.version;
    return isSame && apps.length < MAX_APPS && isAlive(record);
  }
}
