/**
 * One app of this primary, from its start to the last line of its logs: its workers, sockets and logs, what the workers run,
 * the current command, and what daemons are told of it.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NodeclusterError } from '../../errors/error.js';
import { features } from '../../features/primary.js';
import { EventFeed } from '../reports.js';
import { Features } from '../features.js';
import { AppLogs } from '../log/app-logs.js';
import { methodsOf } from '../methods.js';
import { PreviousWorkers, StrayProcesses } from '../processes/strays.js';
import { ListeningSockets } from '../sockets/listening-sockets.js';
import { launchAsProcess, launchInCluster } from '../worker/process.js';
import { makeLaunch } from './launch.js';
import { numbersOf } from './outcome.js';
import { WorkerPool } from './pool.js';
import { Replacements } from './replacements.js';

/**
 * @import { EndedReload, ListeningRecord } from '../../protocol/shapes.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { HostedApp as Order, EarlierWorkers } from '../../protocol/methods.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { Output } from '../../shared/processes/records.js'
 * @import { RecordFile } from '../processes/record.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { Launcher } from '../worker/process.js'
 * @import { Result } from './outcome.js'
 *
 * @typedef {object} Surroundings
 * @property {string} home
 * @property {Pick<HomePaths, 'logFile'> & {record: string}} paths
 * @property {RecordFile} record of this primary
 * @property {Record<string, string>} baseEnv variables of its workers that the spec may override
 * @property {Output} [output] where their output goes instead of log files, and the stdin of `run`
 */

/** Of the record. */
const MAX_ADDRESSES = 20;

export class App {
  /** The current command. @type {string | null} */
  busy = null;
  /** @type {EndedReload | null} */
  lastReload = null;
  reloads = { ok: 0, failed: 0, rolledBack: 0 };
  /** No command has arrived yet; the primary started its workers by itself. */
  isNew = true;
  /** It has been asked to end, and nothing starts it again here. */
  isEnding = false;
  #onEnded = () => {};
  /** Resolves when nothing of it is left in this process. @type {Promise<void>} */
  ended = new Promise((resolve) => (this.#onEnded = resolve));
  #primaryRecord;
  #launch;
  /** @type {ListeningRecord | null} */
  #record;

  /** @param {Order} order @param {Surroundings} surroundings */
  constructor(order, { home, paths, record, baseEnv, output }) {
    const { spec, generation, slots, stoppedSlots, listeningRecord } = order;
    this.#primaryRecord = record;
    const isFork = spec.execMode === 'fork';
    const strays = new StrayProcesses(home, spec.name);
    /** @type {Launcher} */
    const launcher = (worker) =>
      isFork
        ? launchAsProcess(worker, output?.input)
        : launchInCluster(worker, this.sockets, output?.input);
    this.logs = new AppLogs(spec, paths, { onLoss: () => this.pool.changed(), output });
    this.pool = new WorkerPool({
      launcher,
      strays,
      logs: this.logs,
      partsOf: (worker) => this.features.partsOf(worker),
    });
    this.#launch = makeLaunch(spec, generation, baseEnv, listeningRecord);
    for (const number of slots) {
      const slot = this.pool.addSlot(number, this.#launch);
      if (stoppedSlots.includes(number)) slot.setStopped('close');
    }
    this.sockets = this.#makeSockets(spec, home);
    this.previousWorkers = new PreviousWorkers(strays, () => this.pool.changed());
    this.#record = listeningRecord;
    this.events = new EventFeed(this.pool);
    this.replacements = new Replacements(this.pool, () => this.busy !== null);
    this.features = new Features(features, this, path.dirname(paths.record));
    this.pool.maxSurge = spec.maxSurge;
    if (order.isSecond) {
      // Another primary serves the same sockets until all workers of this one are online. Before they are inherited.
      this.sockets.admission.predecessorServes = true;
      for (const slot of this.pool.slotsOf())
        slot.predecessor = slot.isDesired ? slot.launch : null;
    }
    this.methods = methodsOf(this);
  }

  /**
   * Starts its workers when those of an earlier primary allow it.
   * @param {EarlierWorkers} previous
   * @param {InheritedSocket[]} sockets
   */
  async run(previous, sockets) {
    const { pool, launch } = this;
    const isFork = launch.spec.execMode === 'fork';
    if (!isFork) this.sockets.watch(sockets);
    const emptiesFirst = isFork || launch.listens === false;
    await this.previousWorkers.end(previous, launch.spec, emptiesFirst);
    // Without a record, the next primary would not look for workers that this one did not live to record.
    await this.noteWorkers();
    pool.on('change', () => void this.noteWorkers());
    pool.start();
  }

  /** @returns when the next primary, or daemon, would find them */
  noteWorkers() {
    return this.#primaryRecord.update(this.name, this.pool.workers, this.previousWorkers.alive);
  }

  /** Everything that was written is on the disk before daemons see that it has ended. */
  async end() {
    await this.pool.services.strays.whenIdle();
    await this.#primaryRecord.whenIdle();
    await this.logs.end();
    this.leave();
  }

  /** Without waiting for anything. */
  leave() {
    this.isEnding = true;
    this.#onEnded();
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
    const workers = this.pool.online.filter(({ launch }) => launch === this.launch);
    const addresses = [...new Set(workers.flatMap(({ listening }) => [...listening.keys()]))];
    const { input, spec } = this.launch;
    // A bot, perhaps with a PORT that it does not use.
    const isSilent = workers.some(
      ({ listening, uptimeMs }) => listening.size === 0 && uptimeMs > spec.listenTimeoutMs,
    );
    if (addresses.length > 0 || isSilent) {
      this.#record = { input, addresses: addresses.sort().slice(0, MAX_ADDRESSES) };
    }
    return this.#record;
  }

  get name() {
    return this.launch.spec.name;
  }

  /**
   * Also protects the app when a daemon dies during a command and the next one sends another.
   * @throws E_APP_BUSY
   * @template T @param {string} name @param {() => Promise<T>} command
   */
  async runExclusively(name, command) {
    const { busy: doing } = this;
    if (doing) throw new NodeclusterError('E_APP_BUSY', { app: this.name, doing });
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

  /** The next one, which the app does not use yet. @param {Spec} [spec] @param {number} [generation] */
  nextLaunch(spec = this.launch.spec, generation = this.launch.generation + 1) {
    return makeLaunch(spec, generation, this.launch.baseEnv, this.listeningRecord);
  }

  /** Whether another primary serves or not, this one does from now on. */
  serve() {
    if (!this.sockets.admission.predecessorServes) return;
    for (const slot of this.pool.slotsOf()) slot.predecessor = null;
    this.sockets.serve();
    this.pool.changed();
  }

  /**
   * @param {Required<Result>} result
   * @param {number} generation that the reload was for
   * @param {number} durationMs
   */
  noteReload(result, generation, durationMs) {
    const [first] = result.failed;
    const ok = first === undefined;
    const why = { reason: first?.reason ?? null, cause: first?.cause };
    const slots = numbersOf(this.pool, result);
    this.lastReload = { ok, at: Date.now(), durationMs, generation, ...why, ...slots };
    const failure = slots.rolledBack.length > 0 ? 'rolledBack' : 'failed';
    this.reloads[ok ? 'ok' : failure] += 1;
  }

  /** Settings that need no new generation, also of earlier ones, which may differ in others. @param {Spec} spec */
  configure(spec) {
    const before = /** @type {Record<string, unknown>} */ (this.launch.spec);
    const changes = Object.fromEntries(
      Object.entries(spec).filter(([key, value]) => !isDeepStrictEqual(before[key], value)),
    );
    const inUse = this.pool
      .slotsOf()
      .flatMap((slot) => [slot, slot.previous ?? [], slot.workers].flat())
      .map(({ launch }) => launch);
    for (const launch of new Set([this.launch, ...inUse])) {
      launch.spec = Object.freeze({ ...launch.spec, ...changes });
    }
    for (const { agent, launch } of this.pool.workers) agent?.setPace(launch.spec);
    this.pool.maxSurge = spec.maxSurge;
    this.logs.configure(spec);
    this.pool.changed();
  }

  /** @param {Spec} spec @param {string} home */
  #makeSockets(spec, home) {
    const { pool } = this;
    const sockets = new ListeningSockets(spec.scheduling, {
      app: spec.name,
      home,
      isKept: () => pool.mayListen(this.launch.spec.minUptimeMs),
      isWorkerLeaving: () => pool.workers.some(({ isRetired }) => isRetired),
      holdTimeoutMs: () => this.launch.spec.holdTimeoutMs,
      // A worker on trial is judged by what it answers, and the worker that wakes up first gets short requests.
      isTakingTurns: () => pool.slotsOf().some(({ trials }) => trials > 0),
    });
    pool.on('change', () => sockets.reconsider());
    pool.on('worker', (/** @type {WorkerHandle} */ worker) => {
      worker.on('change', () => {
        const { status, child, parts, pulse } = worker;
        if (status !== 'online' || !child) return;
        const isFit = parts.trouble() === null && !pulse.isHeld;
        const { isSpare, isFailing } = pool.slots.get(worker.slot) ?? {};
        sockets.admission.admit(child, isFit && !isSpare, isFit && isSpare && !isFailing);
      });
    });
    return sockets;
  }
}
