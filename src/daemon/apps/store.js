/** The desired state on disk: it survives the daemon, the primaries and a reboot. */
import { copyFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSpec } from '../../config/check-spec.js';
import { attempt } from '../../errors/error.js';
import { isCount, isObject, withoutOthers } from '../../shared/checks.js';
import { FORMAT, copyOf, findDesired, readDesiredFile } from '../../shared/files/desired-file.js';
import { desiredApp } from '../checks.js';
import { writeFileAtomic } from '../../shared/files/atomic-file.js';

/**
 * @import { Log } from '../log.js'
 * @import { Desired, DesiredApp } from './desired.js'
 */

/** What nobody has said yet. */
export const NEW_APP = Object.freeze({
  stopped: false,
  waitsFor: null,
  killed: false,
  deleting: false,
  stoppedSlots: [],
  ids: {},
  rollout: null,
  listeningRecord: null,
  createdAt: null,
  primary: null,
  successor: null,
  changes: [],
});

/**
 * @param {string} file @param {Log} log
 * @returns {Desired & {notes: string[]}} without apps when the file does not exist; apps that are not valid are left out, and
 *   the file is kept as `<file>.unreadable-…`; a damaged file is moved there, and its copy is read; `notes`: why, for `ls`
 * @throws {NodeclusterError} E_HOME_READ
 */
export function loadDesired(file, log) {
  const { text, apps, nextId, from } = findDesired(file);
  const isDamaged = from !== file;
  const damage = isDamaged ? [moveAside(file, from, log)] : [];
  const { valid, notes } = readApps(apps, from ?? file, log);
  // A daemon that was killed between the two writes leaves an earlier state in the copy.
  const isCopied = () => attempt(() => readDesiredFile(copyOf(file)) === text, false);
  if (!isDamaged && text !== null && !isCopied()) writeCopy(file, text);
  const used = valid.flatMap(({ ids }) => Object.values(ids));
  const next = Math.max(isCount(nextId) ? nextId : 0, ...used.map((id) => id + 1));
  return { apps: valid, nextId: next, notes: [...damage, ...notes] };
}

/** @param {string} file that is damaged @param {string | null} copy @param {Log} log @returns a note */
function moveAside(file, copy, log) {
  const aside = asideOf(file);
  renameSync(file, aside);
  log.error('state.unreadable', { file, reason: 'damaged, and moved away' });
  const used = copy ? 'Its copy is used' : 'Its copy is damaged or missing too';
  return `${file} was damaged. ${used}; the damaged file is ${aside}.`;
}

/** Where no earlier one is. @param {string} file */
const asideOf = (file) => `${file}.unreadable-${Date.now()}`;

/** @param {unknown[]} apps @param {string} file @param {Log} log */
function readApps(apps, file, log) {
  /** @type {Map<string, DesiredApp>} */
  const valid = new Map();
  /** @type {string[]} */
  const notes = [];
  const aside = asideOf(file);
  for (const desired of apps) {
    try {
      const app = readDesired(desired);
      if (valid.has(app.spec.name)) throw new Error('another app has its name');
      valid.set(app.spec.name, app);
    } catch (error) {
      const { message: reason } = /** @type {Error} */ (error);
      const given = /** @type {any} */ (desired)?.spec?.name;
      const name = typeof given === 'string' ? given.slice(0, 64) : '(without a name)';
      log.error('state.set-aside', { app: name, file, reason });
      const why = `its saved state is not valid (${reason})`;
      notes.push(`App ${name} was set aside: ${why}. See ${aside}.`);
    }
  }
  // On a full disk it cannot be overwritten either.
  if (notes.length > 0) attempt(() => copyFileSync(file, aside), undefined);
  return { valid: [...valid.values()], notes };
}

/**
 * @param {any} value one app, as it was read from disk
 * @returns {DesiredApp}
 * @throws {Error} why it is not valid
 */
function readDesired(value) {
  if (!isObject(value)) throw new Error('not a map');
  const unsaid = { changes: [], waitsFor: null, primary: null, successor: null };
  /** @type {Record<string, any>} */
  const desired = { ...unsaid, ...value, ids: idsOf(value.ids) };
  const key = desiredApp(desired);
  if (key !== null) throw new Error(`${key} is not valid`);
  const { spec, rollout, slots } = desired;
  return {
    .../** @type {DesiredApp} */ (withoutOthers(desired, desiredApp)),
    spec: readSpec(spec),
    // One that is not stopped as well was written by somebody else, and must not cost the app.
    killed: desired.stopped && desired.killed,
    deleting: desired.stopped && desired.deleting,
    slots: [...slots].sort((a, b) => a - b),
    rollout: rollout && { ...rollout, spec: readSpec(rollout.spec) },
  };
}

/** Without them, the workers get new ones, which is better than to lose the app. @param {unknown} ids by slot */
function idsOf(ids) {
  if (!isObject(ids)) return {};
  const all = Object.values(ids);
  return all.every(isCount) && new Set(all).size === all.length ? ids : {};
}

/** Of 500 apps at most ten times a second. */
const APPS_PER_MS = 5;

/** Writes one state at a time; saves requested during a write are combined into one. */
export class DesiredStore {
  /** Another daemon has read the file, and it must stay as that daemon writes it. */
  isSuperseded = false;
  #file;
  #describe;
  #writing = Promise.resolve();
  /** A write that has not begun, so it will include every change. @type {Promise<void> | null} */
  #next = null;
  /** The file as it was read or written. @type {string | null} */
  #stamp;

  /** @param {string} file @param {() => Desired} describe the current state */
  constructor(file, describe) {
    this.#file = file;
    this.#describe = describe;
    this.#stamp = stampOf(file);
  }

  save() {
    if (this.#next === null) {
      this.#next = this.#writing.then(() => this.#write());
      // So that the start of hundreds of apps does not write all of them twice for each.
      const pause = () => sleep(this.#describe().apps.length / APPS_PER_MS);
      this.#writing = this.#next.catch(() => {}).then(pause);
    }
    return this.#next;
  }

  /**
   * @returns {Promise<boolean>} false: something else removed or changed the file, or it contains a change that was
   *   rolled back because writing it failed late
   */
  async isIntact() {
    await this.#writing;
    const stamp = stampOf(this.#file);
    return stamp === null ? this.#describe().apps.length === 0 : stamp === this.#stamp;
  }

  async #write() {
    this.#next = null;
    if (this.isSuperseded) throw new Error('another daemon has its apps');
    const text = Buffer.from(textOf(this.#describe()));
    const before = stampOf(this.#file);
    try {
      await writeFileAtomic(this.#file, text);
      this.#stamp = stampOf(this.#file);
    } finally {
      // Also if it failed late: an earlier copy must not outlive the file.
      if (stampOf(this.#file) !== before) writeCopy(this.#file, text);
    }
  }
}

/** Of specs, which are replaced and never changed: 500 apps are written again for each that starts. */
const specTexts = new WeakMap();

/** @param {Desired} desired */
function textOf({ apps, ...others }) {
  const texts = apps.map(({ spec, ...rest }) => {
    if (!specTexts.has(spec)) specTexts.set(spec, JSON.stringify(spec));
    return `{"spec":${specTexts.get(spec)},${JSON.stringify(rest).slice(1)}`;
  });
  return `${JSON.stringify({ format: FORMAT, ...others }).slice(0, -1)},"apps":[${texts}]}`;
}

/**
 * Saving does not depend on it; but no copy is better than an earlier state, in which an app runs that was stopped
 * since.
 * @param {string} file @param {string | Buffer} text
 */
function writeCopy(file, text) {
  const temporary = `${copyOf(file)}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, copyOf(file));
  } catch {
    for (const left of [temporary, copyOf(file)])
      attempt(() => rmSync(left, { force: true }), undefined);
  }
}

/** Changes when anything changes the file; null: missing. @param {string} file */
function stampOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : null;
}
