/** The one app of this primary: its workers, what they run, and the command under way. */
import { isDeepStrictEqual } from 'node:util';
import { NodeclusterError } from '../../errors/error.js';
import { EventFeed } from '../control/events.js';
import { makeLaunch } from './generation.js';
import { Telemetry } from '../control/telemetry.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { EndedReload } from '../../protocol/shapes.js'
 * @import { Leftovers } from '../processes/strays.js'
 * @import { ListeningSockets } from '../sockets/listening-sockets.js'
 * @import { Launch } from './generation.js'
 * @import { WorkerPool } from './worker-pool.js'
 */

export class App {
  /** The command under way. @type {string | null} */
  busy = null;
  /** @type {EndedReload | null} */
  lastReload = null;
  /** How many ended how, in the life of this primary. */
  reloads = { ok: 0, failed: 0, rolledBack: 0 };
  /** No command has come yet: a primary starts its workers by itself. */
  isNew = true;
  /** @type {ListeningSockets | null} */
  sockets = null;
  #launch;

  /**
   * @param {WorkerPool} pool
   * @param {Launch} launch
   * @param {Leftovers} leftovers
   */
  constructor(pool, launch, leftovers) {
    this.pool = pool;
    this.leftovers = leftovers;
    this.#launch = launch;
    this.telemetry = new Telemetry(pool);
    this.events = new EventFeed(pool);
    pool.maxSurge = launch.spec.maxSurge;
  }

  /** What its workers run, but for those that a reload has not come to, or could not replace. */
  get launch() {
    return this.#launch;
  }

  set launch(launch) {
    this.#launch = launch;
    this.pool.logs.configure(launch.spec);
  }

  get name() {
    return this.launch.spec.name;
  }

  /**
   * @template T
   * @param {string} doing
   * @param {() => Promise<T>} command
   * @returns {Promise<T>}
   * @throws {NodeclusterError} E_APP_BUSY
   */
  async exclusive(doing, command) {
    if (this.busy) {
      throw new NodeclusterError('E_APP_BUSY', { app: this.name, doing: this.busy });
    }
    this.busy = doing;
    this.pool.changed();
    try {
      return await command();
    } finally {
      this.busy = null;
      this.pool.changed();
    }
  }

  /**
   * @param {Spec} [spec]
   * @param {number} [generation]
   * @returns {Launch} the next one; it is not the app's yet
   */
  nextLaunch(spec = this.launch.spec, generation = this.launch.generation + 1) {
    return makeLaunch(spec, generation);
  }

  /** @param {EndedReload} reload that has ended */
  noteReload(reload) {
    this.lastReload = reload;
    const failure = reload.rolledBack.length > 0 ? 'rolledBack' : 'failed';
    this.reloads[reload.ok ? 'ok' : failure] += 1;
  }

  /**
   * Settings that the next decision reads, without a new generation. They hold for those too that
   * run an earlier one, in which other things may differ.
   * @param {Spec} spec
   */
  configure(spec) {
    const changes = changesOf(this.launch.spec, spec);
    for (const launch of this.#launchesInUse()) {
      launch.spec = Object.freeze({ ...launch.spec, ...changes });
    }
    this.launch.spec = Object.freeze({ ...spec });
    this.pool.maxSurge = spec.maxSurge;
    this.pool.logs.configure(spec);
  }

  /** @returns {Set<Launch>} */
  #launchesInUse() {
    const { slots, workers } = this.pool;
    const ofSlots = [...slots.values()].flatMap(({ launch, previous }) =>
      previous ? [launch, previous.launch] : [launch],
    );
    return new Set([...ofSlots, ...[...workers.values()].map(({ launch }) => launch)]);
  }
}

/**
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 * @returns {object} what is otherwise
 */
function changesOf(before, after) {
  const isOther = (/** @type {string} */ key) => !isDeepStrictEqual(before[key], after[key]);
  return Object.fromEntries(Object.entries(after).filter(([key]) => isOther(key)));
}
