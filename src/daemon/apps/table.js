/** All apps of the home, and the only place that saves their desired state. */
import { NodeclusterError } from '../../errors/error.js';
import { removeUnfinished } from '../../shared/files/atomic-file.js';
import { PortHolders } from '../ports.js';
import { Primaries } from '../primaries/primaries.js';
import { App } from './app.js';
import { currentAuthor, changesAfter } from './changes.js';
import { DesiredStore, NEW_APP, loadDesired } from './store.js';
import { allowedSlots } from './slots.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { HolderOf } from '../ports.js'
 * @import { Log } from '../log.js'
 * @import { DesiredApp } from './desired.js'
 */

export class AppTable {
  #paths;
  #log;
  #store;
  /** Changes that were kept are not on the disk. */
  #isUnsaved = false;
  #nextId = 0;
  primaries;
  /** In the order in which they were started. @type {Map<string, App>} */
  #apps = new Map();
  #holders = new PortHolders(() =>
    // Also while the next daemon is finding out what they have.
    this.all().flatMap(({ name, link }) => {
      const primary = this.primaries.get(link.id);
      const slots = link.snapshot?.slots ?? [];
      return primary?.hosts(name) ? [{ name, primaryPid: primary.pid, slots }] : [];
    }),
  );

  /** @param {HomePaths} paths @param {Log} log */
  constructor(paths, log) {
    this.#paths = paths;
    this.#log = log;
    this.primaries = new Primaries(paths, log);
    this.#store = new DesiredStore(paths.desired, () => ({
      apps: this.all().map((app) => app.toDesired()),
      nextId: this.#nextId,
    }));
    removeUnfinished(paths.desired);
    const { apps, nextId, notes } = loadDesired(paths.desired, log);
    /** What `ls` must say about the saved state. */
    this.notes = notes;
    this.#nextId = nextId;
    for (const desired of apps) this.insert(desired);
  }

  all() {
    return [...this.#apps.values()];
  }

  /** @param {string} name */
  get(name) {
    return this.#apps.get(name);
  }

  /** @param {Spec} spec with a name that is not in the table @returns {App} that waits to be started, and is not saved yet */
  add(spec) {
    if (this.#apps.size === 0) this.#nextId = 0;
    const slots = allowedSlots(spec, { slots: [], count: 0 });
    const waiting = { ...NEW_APP, stopped: true, waitsFor: [] };
    return this.insert({ ...waiting, spec, generation: 1, slots, createdAt: Date.now() });
  }

  /** @param {string} name of an app to be @throws {NodeclusterError} E_NAME_TAKEN */
  refuseName(name) {
    if (this.#apps.has(name)) throw new NodeclusterError('E_NAME_TAKEN', { name });
  }

  /**
   * Rolled back if it cannot be saved.
   * @param {App} app without a primary @param {Spec} spec with its new name
   */
  async rename(app, spec) {
    this.refuseName(spec.name);
    const { name } = app;
    const rekey = (/** @type {string} */ from, /** @type {string} */ to) => {
      this.#apps.delete(from);
      this.#apps.set(to, app);
    };
    rekey(name, spec.name);
    const change = () => {
      app.spec = spec;
      app.rollout = null;
      app.desireSlots(null);
    };
    await this.change(app, change).catch((error) => {
      rekey(spec.name, name);
      throw error;
    });
    for (const each of this.all()) {
      const { [name]: condition, ...others } = each.spec.dependsOn;
      if (condition === undefined) continue;
      each.spec = { ...each.spec, dependsOn: { ...others, [spec.name]: condition } };
    }
    await this.saveOrRetry();
  }

  /** @param {App} app */
  remove(app) {
    app.deleted = true;
    this.#apps.delete(app.name);
  }

  /** @param {App} app @param {number[]} slots in ascending order */
  setSlots(app, slots) {
    const stays = (/** @type {number} */ slot) => slots.includes(slot) && app.slots.includes(slot);
    app.stoppedSlots = app.stoppedSlots.filter(stays);
    app.slots = slots;
    app.ids = this.#idsFor(slots, app.ids);
  }

  /**
   * Rolled back if it cannot be saved.
   * @param {App} app @param {() => void} make changes only this app
   */
  async change(app, make) {
    const before = app.toDesired();
    make();
    noteChange(app, before);
    try {
      await this.save();
    } catch (error) {
      undo(app, before);
      throw error;
    }
  }

  /** Where the settings with which a reload failed are no longer asked for. @param {App} app */
  noteUndone(app) {
    const [last] = app.changes;
    if (!last || last.isApplied || last.differences.length === 0) return;
    const change = { ...last, action: 'apply', by: currentAuthor(), at: Date.now() };
    app.changes = [{ ...change, isApplied: true, differences: [], omitted: 0 }, ...app.changes];
    void this.saveOrRetry();
  }

  /** Saves nothing any more, also what waits to be saved. */
  abandon() {
    this.#store.isSuperseded = true;
  }

  /** Until the current table has been saved. @throws {NodeclusterError} E_HOME_WRITE */
  async save() {
    try {
      await this.#store.save();
    } catch (error) {
      const reason = /** @type {Error} */ (error).message;
      throw new NodeclusterError('E_HOME_WRITE', { file: this.#paths.desired, reason }, error);
    }
  }

  /**
   * For changes that are kept although they cannot be saved: restore() tries again.
   * @returns {Promise<NodeclusterError | null>} why it failed
   */
  async saveOrRetry() {
    try {
      await this.save();
      if (this.#isUnsaved) this.#log.info('state.saved');
      this.#isUnsaved = false;
      return null;
    } catch (thrown) {
      const error = NodeclusterError.from(thrown);
      if (!this.#isUnsaved) this.#log.error('state.unsaved', { reason: error.message });
      this.#isUnsaved = true;
      return error;
    }
  }

  /** Saves what is not on the disk, or not any more. @returns {Promise<boolean>} whether everything is there now */
  async restore() {
    const isIntact = await this.#store.isIntact();
    if (isIntact && !this.#isUnsaved) return true;
    const error = await this.saveOrRetry();
    if (!isIntact && !error) this.#log.warn('state.restored', { file: this.#paths.desired });
    return error === null;
  }

  /** @param {DesiredApp} desired with a name that is not in the table @returns {App} */
  insert(desired) {
    const ids = this.#idsFor(desired.slots, desired.ids);
    const { primaries } = this;
    primaries.noteIds(desired.primary, desired.successor);
    /** @type {HolderOf} */
    const holderOf = (...fault) => this.#holders.holderOf(app.name, ...fault);
    const app = new App(
      { ...desired, ids },
      {
        primaries,
        log: this.#log,
        logFile: this.#paths.primaryLog,
        holderOf,
        save: () => this.saveOrRetry(),
      },
    );
    this.#apps.set(app.name, app);
    return app;
  }

  /**
   * Worker ids are unique in a home directory. A slot keeps its id as long as it exists, and no id is used twice as long
   * as there are apps: a remembered `stop 3` must never hit another worker.
   * @param {readonly number[]} slots @param {Readonly<Record<number, number>>} current ids by slot; other slots lose theirs
   */
  #idsFor(slots, current) {
    return Object.fromEntries(slots.map((slot) => [slot, current[slot] ?? this.#nextId++]));
  }
}

/** @param {App} app that a command has changed @param {DesiredApp} before */
export function noteChange(app, before) {
  const command = { action: app.queue.current ?? '', by: currentAuthor() };
  app.changes = changesAfter(before, app.toDesired(), command, Date.now());
}

/** Where it is does not change with it. @param {App} app @param {DesiredApp} before */
function undo(app, { primary: _primary, successor: _successor, ...own }) {
  Object.assign(app, own);
}
