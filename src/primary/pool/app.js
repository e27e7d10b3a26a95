/** The one app of this primary: its workers, what they run, and the current command. */
import { isDeepStrictEqual } from 'node:util';
import { NodeclusterError } from '../../errors/error.js';
import { EventFeed } from '../events.js';
import { Features } from '../features.js';
import { Telemetry } from '../telemetry.js';
import { makeLaunch } from './launch.js';
import { recordListening } from './listening.js';
import { Replacements } from './replacements.js';

/**
 * @import { EndedReload, ListeningRecord, Outcome, Replacement } from '../../protocol/shapes.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { PreviousWorkers } from '../processes/previous.js'
 * @import { MakeFeature } from '../features.js'
 * @import { ListeningSockets } from '../sockets/listening-sockets.js'
 * @import { Launch } from './launch.js'
 * @import { WorkerPool } from './pool.js'
 */

export class App {
  /** The current command. @type {string | null} */
  busy = null;
  /** @type {EndedReload | null} */
  lastReload = null;
  /** Of a worker that was due, without a command. @type {Replacement | null} */
  lastReplacement = null;
  reloads = { ok: 0, failed: 0, rolledBack: 0 };
  /** No command has arrived yet; the primary started its workers by itself. */
  isNew = true;
  #launch;
  /** @type {ListeningRecord | null} */
  #record;

  /**
   * @param {WorkerPool} pool
   * @param {{sockets: ListeningSockets, features: readonly MakeFeature[], directory: string}} parts directory: of the
   *   files of this primary
   * @param {Launch} launch
   * @param {PreviousWorkers} previousWorkers
   * @param {ListeningRecord | null} listeningRecord of an earlier life
   */
  constructor(pool, { sockets, features, directory }, launch, previousWorkers, listeningRecord) {
    this.pool = pool;
    this.logs = pool.services.logs;
    this.sockets = sockets;
    this.previousWorkers = previousWorkers;
    this.#launch = launch;
    this.#record = listeningRecord;
    this.telemetry = new Telemetry(pool);
    this.events = new EventFeed(pool);
    this.replacements = new Replacements(pool, () => this.busy !== null);
    this.features = new Features(features, this, directory);
    pool.maxSurge = launch.spec.maxSurge;
    pool.on('event', ({ type, slot, reason }) => {
      if (type === 'worker.replacing') this.lastReplacement = { slot, at: Date.now(), reason };
    });
  }

  /** What its workers run, except those that a reload has not reached or could not replace. */
  get launch() {
    return this.#launch;
  }

  set launch(launch) {
    this.#launch = launch;
    this.logs.configure(launch.spec);
  }

  /** @returns {ListeningRecord | null} for the next life; null: nothing is known yet */
  get listeningRecord() {
    this.#record = recordListening(this.#record, this.launch, this.pool);
    return this.#record;
  }

  get name() {
    return this.launch.spec.name;
  }

  /**
   * Also protects the app when a daemon dies during a command and the next daemon sends another.
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} command
   * @throws {NodeclusterError} E_APP_BUSY
   */
  async runExclusively(name, command) {
    if (this.busy) {
      throw new NodeclusterError('E_APP_BUSY', { app: this.name, doing: this.busy });
    }
    this.busy = name;
    this.replacements.cancel();
    this.pool.changed();
    try {
      return await command();
    } finally {
      this.busy = null;
      // Whoever lists the app after the reply must see it.
      await this.pool.until(() => true);
    }
  }

  /**
   * @param {Spec} [spec]
   * @param {number} [generation]
   * @returns {Launch} the next one, which the app does not use yet
   */
  nextLaunch(spec = this.launch.spec, generation = this.launch.generation + 1) {
    return makeLaunch(spec, generation, this.launch.baseEnv, this.listeningRecord);
  }

  /** Another primary serves the same sockets until all workers of this one are online. Call it before they are inherited. */
  waitForPredecessor() {
    this.sockets.admission.predecessorServes = true;
    this.pool.predecessor.begin(this.pool.slots.values());
  }

  /** Whether another primary serves or not, this one does from now on. */
  serve() {
    if (!this.sockets.admission.predecessorServes) return;
    this.pool.predecessor.end();
    this.sockets.serve();
    this.pool.changed();
  }

  /** @param {Outcome} outcome @param {number} generation that the reload was for */
  noteReload({ ok, durationMs, failed, done, kept, rolledBack }, generation) {
    const { reason = null, fault = null } = failed[0] ?? {};
    const at = Date.now();
    this.lastReload = { ok, at, durationMs, generation, reason, fault, done, kept, rolledBack };
    const failure = rolledBack.length > 0 ? 'rolledBack' : 'failed';
    this.reloads[ok ? 'ok' : failure] += 1;
  }

  /**
   * Changes settings that need no new generation. They also apply to workers of earlier
   * generations, which may differ in other settings.
   * @param {Spec} spec
   */
  configure(spec) {
    const changes = changesOf(this.launch.spec, spec);
    for (const launch of this.#launchesInUse()) {
      launch.spec = Object.freeze({ ...launch.spec, ...changes });
    }
    this.launch.spec = Object.freeze({ ...spec });
    this.pool.maxSurge = spec.maxSurge;
    this.logs.configure(spec);
    this.features.configured();
  }

  #launchesInUse() {
    const { slots, workers } = this.pool;
    const ofSlots = [...slots.values()].flatMap(({ launch, previous }) =>
      previous ? [launch, previous.launch] : [launch],
    );
    const ofWorkers = [...workers.values()].map(({ launch }) => launch);
    return new Set([...ofSlots, ...ofWorkers]);
  }
}

/**
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 * @returns {object} the properties that differ
 */
function changesOf(before, after) {
  const entries = Object.entries(after);
  return Object.fromEntries(
    entries.filter(([key, value]) => !isDeepStrictEqual(before[key], value)),
  );
}
