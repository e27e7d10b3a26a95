/**
 * The primaries that apps in fork mode share. Each of those apps has its own record, socket and
 * connection, so that everything else sees an app with a primary; only the process is the same.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { isAlive } from '../../shared/processes/identity.js';
import { recordStarting } from '../../shared/processes/primary-record.js';
import { requestOnce } from './connection.js';

/**
 * @import { AppPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 */

/** One process could run more; a bug in it must not concern all apps of a machine. */
const MAX_APPS = 100;
/** ms before a process that did not answer is asked again. */
const RETRY_MS = 200;

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
    for (const one of this.#records.values()) {
      if (refused.has(one.pid) || !this.#hasRoom(one)) continue;
      // Before it is asked: its room is taken, and the next daemon knows where the app may be.
      const record = { ...one, socket: paths.socket };
      this.note(app, record);
      recordStarting(paths.record, record);
      if (await this.#host(record, paths.launch)) return record;
      this.#records.delete(app);
      rmSync(paths.record, { force: true });
      refused.add(one.pid);
    }
    return null;
  }

  /**
   * Asks a process until it has answered, or has exited: one that did not answer may do it yet, and
   * another process that did it too would run the app twice.
   * @param {PrimaryRecord} record of the app in that process @param {string} launch its launch file
   */
  async #host(record, launch) {
    let wasAsked = false;
    do {
      if (wasAsked) await sleep(RETRY_MS);
      for (const [name, one] of this.#recordsOf(record.pid)) {
        const reply = await requestOnce(one, 'host', { launch });
        // Its app has been deleted; another one of the same process may answer.
        if (reply === 'absent' && one !== record) this.#records.delete(name);
        if (reply === 'done') return true;
        if (reply === 'refused') return false;
        if (reply === 'unasked') break;
        if (reply === 'unknown') wasAsked = true;
      }
    } while (wasAsked && isAlive(record));
    return false;
  }

  /** @param {number} pid */
  #recordsOf(pid) {
    return [...this.#records].filter(([, each]) => each.pid === pid);
  }

  /** @param {PrimaryRecord} record */
  #hasRoom(record) {
    const { pid, root, node } = record;
    const isSame = root === PACKAGE_ROOT && node === process.version;
    return isSame && this.#recordsOf(pid).length < MAX_APPS && isAlive(record);
  }
}
