/** The desired state on disk: it survives the daemon, the primaries and a reboot. */
import {
  copyFileSync,
  linkSync,
  lstatSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSpec, unknownKeys } from '../../config/check-spec.js';
import { attempt } from '../../errors/error.js';
import { isCount, isObject, withoutOthers } from '../../shared/checks.js';
import {
  FORMAT,
  checkDesired,
  copyOf,
  parseDesired,
  readDesiredFile,
} from '../../shared/files/desired-file.js';
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
 * @returns {Desired & {notes: string[]}} without apps when the file does not exist;
 *   apps that are not valid and settings that are not known are left out, and the file is kept as
 *   `<file>.unreadable`; a damaged file is moved there, and its copy is read; `notes`: why, for `ls`
 * @throws {NodeclusterError} E_HOME_READ
 */
export function loadDesired(file, log) {
  const text = checkDesired(file);
  if (text === null) return { apps: [], nextId: 0, notes: [] };
  try {
    const desired = readState(text, file, log);
    // A daemon that was killed between the two writes leaves an earlier state in the copy.
    const isCopied = attempt(() => readDesiredFile(copyOf(file)) === text, false);
    if (!isCopied) writeCopy(file, text);
    return desired;
  } catch (error) {
    // A copy that cannot be read is not a damaged one: nothing is moved then.
    readDesiredFile(copyOf(file));
    renameSync(file, freeAside(file));
    const { message } = /** @type {Error} */ (error);
    log.error('state.unreadable', { file, reason: `moved away: ${message}` });
  }
  const copy = loadCopy(file, log);
  const used = copy ? 'Its copy is used' : 'Its copy is damaged or missing too';
  const note = `${file} was damaged. ${used}; the damaged file is ${file}.unreadable.`;
  return copy ? { ...copy, notes: [note, ...copy.notes] } : { apps: [], nextId: 0, notes: [note] };
}

/** @param {string} text @param {string} file @param {Log} log */
function readState(text, file, log) {
  const { apps, nextId } = parseDesired(text);
  const { valid, notes } = readApps(apps, file, log);
  const used = valid.flatMap(({ ids }) => Object.values(ids));
  const next = Math.max(isCount(nextId) ? nextId : 0, ...used.map((id) => id + 1));
  return { apps: valid, nextId: next, notes };
}

/** @param {string} file that is damaged @param {Log} log */
function loadCopy(file, log) {
  const copy = copyOf(file);
  try {
    const text = readDesiredFile(copy);
    return text === null ? null : readState(text, copy, log);
  } catch (error) {
    log.error('state.unreadable', { file: copy, reason: /** @type {Error} */ (error).message });
    return null;
  }
}

/** @param {unknown[]} apps @param {string} file @param {Log} log */
function readApps(apps, file, log) {
  /** @type {Map<string, DesiredApp>} */
  const valid = new Map();
  const notes = apps.flatMap((desired) => {
    const { app, fault } = readDesired(desired);
    const reason = fault ?? (valid.has(app.spec.name) ? 'another app has its name' : null);
    if (reason === null && app) valid.set(app.spec.name, app);
    if (reason === null) return noteUnknown(desired, file, log);
    const given = /** @type {any} */ (desired)?.spec?.name;
    const name = typeof given === 'string' ? given.slice(0, 64) : '(without a name)';
    log.error('state.set-aside', { app: name, file, reason });
    return `App ${name} was set aside: its saved state is not valid (${reason}). See ${file}.unreadable.`;
  });
  if (notes.length > 0) attempt(() => keepAside(file), undefined);
  return { valid: [...valid.values()], notes };
}

/** A link needs no room, but not every file system has links. @param {string} file */
function keepAside(file) {
  const aside = freeAside(file);
  try {
    linkSync(file, aside);
  } catch {
    copyFileSync(file, aside);
  }
}

/**
 * @param {any} value one app, as it was read from disk
 * @returns {{app: DesiredApp, fault: null} | {app: null, fault: string}} `fault`: why it is not valid
 */
function readDesired(value) {
  if (!isObject(value)) return { app: null, fault: 'not a map' };
  const unsaid = { changes: [], waitsFor: null, primary: null, successor: null };
  /** @type {Record<string, any>} */
  const desired = { ...unsaid, ...value, ids: idsOf(value.ids) };
  const key = desiredApp(desired);
  if (key !== null) return { app: null, fault: `${key} is not valid` };
  const { spec, rollout, slots } = desired;
  const own = readSpec(spec);
  const next = rollout && readSpec(rollout.spec);
  const fault = own.fault ?? next?.fault ?? null;
  if (own.spec === null || fault !== null) return { app: null, fault: String(fault) };
  const app = {
    .../** @type {DesiredApp} */ (withoutOthers(desired, desiredApp)),
    spec: own.spec,
    // One that is not stopped as well was written by somebody else, and must not cost the app.
    killed: desired.stopped && desired.killed,
    deleting: desired.stopped && desired.deleting,
    slots: [...slots].sort((a, b) => a - b),
    rollout: next && { ...rollout, spec: next.spec },
  };
  return { app, fault: null };
}

/** Without them, the workers get new ones, which is better than to lose the app. @param {unknown} ids by slot */
function idsOf(ids) {
  if (!isObject(ids)) return {};
  const all = Object.values(ids);
  return all.every(isCount) && new Set(all).size === all.length ? ids : {};
}

/** @param {any} desired that is valid @param {string} file @param {Log} log */
function noteUnknown({ spec, rollout }, file, log) {
  const keys = new Set([...unknownKeys(spec), ...unknownKeys(rollout?.spec)]);
  if (keys.size === 0) return [];
  const names = [...keys].join(', ');
  log.error('state.unknown-settings', { app: spec.name, file, reason: `dropped: ${names}` });
  const dropped = `App ${spec.name} has settings of another version that have no effect: ${names}`;
  return [`${dropped}. Their values are in ${file}.unreadable.`];
}

/** What an earlier start set aside stays beside it. @param {string} file */
function freeAside(file) {
  const aside = `${file}.unreadable`;
  rmSync(`${aside}.1`, { recursive: true, force: true });
  if (lstatSync(aside, { throwIfNoEntry: false })) renameSync(aside, `${aside}.1`);
  return aside;
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
