/** Scales apps by the load of their event loops, or with the number of cores. It only acts while nothing else does. */
import { freemem } from 'node:os';
import { join } from 'node:path';
import { readText } from '../../shared/files/inspect-path.js';
import { decideScaling, UNKNOWN } from './decide.js';
import { reasonText } from '../../show/reason.js';
import { besideApps } from '../../daemon/features.js';
import { followsCores, workerBounds, workerCount } from '../../daemon/apps/slots.js';
import { availableCores, cgroupDirectories } from '../../daemon/cgroups.js';

/**
 * @import { InstanceRange } from '../../config/spec.js'
 * @import { Fact, TelemetryReport, Worker } from '../../protocol/shapes.js'
 * @import { Autoscaling } from './record.js'
 * @import { Door, SeenApp } from '../../daemon/control/door.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 */

const CHECK_EVERY_MS = 2000;
const SETTLED = ['online', 'blocked'];

/** @type {MakeFeature} */
export function autoscaling(door) {
  const scalers = besideApps(
    ({ spec }) =>
      rangeOf(spec) || followsCores(spec.instances) ? JSON.stringify(spec.instances) : null,
    (app) => {
      const scaler = new Autoscaler(app, door);
      const timer = setInterval(() => scaler.check(), CHECK_EVERY_MS);
      return { scaler, end: () => clearInterval(timer) };
    },
  );
  return {
    sync: scalers.sync,
    record: (app) => ({ autoscaling: scalers.of(app)?.scaler.record }),
  };
}

export class Autoscaler {
  /** At the last check, by pid. @type {Map<number, TelemetryReport>} */
  #reports = new Map();
  #state = UNKNOWN;
  /** In its record. @type {Pick<Autoscaling, 'utilisation' | 'held' | 'lastChange'>} */
  #shown = {};
  #isBusy = false;
  #app;
  #door;
  #world;

  /** @param {SeenApp} app that scales itself, or follows the cores @param {Door} door */
  constructor(app, door, world = { freeMemory, availableCores }) {
    this.#app = app;
    this.#door = door;
    this.#world = world;
  }

  /** @returns {Autoscaling | undefined} undefined: it does not scale itself */
  get record() {
    const range = rangeOf(this.#app.spec);
    return range ? { ...workerBounds(range), elu: range.elu, ...this.#shown } : undefined;
  }

  async check() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const { name: app, spec, count, queue, link } = this.#app;
    try {
      const cores = this.#world.availableCores();
      const allowed = workerCount(spec.instances, count, cores);
      if (allowed === count) await this.#follow();
      // The daemon's own recovery may change the number of workers too.
      else if (queue.current === null && link.state !== 'unknown')
        await this.#change(allowed, { kind: 'cores', count: cores });
    } catch (thrown) {
      this.#door.log.error('autoscaling.failed', { app, reason: String(thrown) });
    } finally {
      this.#isBusy = false;
    }
  }

  async #follow() {
    const app = this.#app;
    const range = rangeOf(app.spec);
    if (range === null) return;
    const { busy, workers: all } = await this.#door.record(app);
    const workers = all.filter(({ status }) => status !== 'spare');
    const { count } = app;
    const isIdle = !busy && app.queue.current === null;
    const isSettled = isIdle && workers.every(({ status }) => SETTLED.includes(status));
    const utilisations = this.#measure(isSettled ? workers : []);
    const look = { nowMs: performance.now(), count, utilisations };
    const bounded = { ...range, ...workerBounds(range) };
    const { state, count: to, utilisation } = decideScaling(this.#state, look, bounded);
    this.#state = state;
    delete this.#shown.held;
    if (utilisation !== null) this.#shown.utilisation = Math.round(utilisation * 100) / 100;
    if (to > count) await this.#add(to, workers);
    if (to < count) await this.#change(to, { kind: 'idle', ms: range.cooldownMs });
  }

  /**
   * The utilisations since the last check, without workers that are blocked; none if one is new: how much load it takes is
   * unknown.
   * @param {Worker[]} workers
   */
  #measure(workers) {
    const before = this.#reports;
    const reported = workers.flatMap(({ pid = 0, report }) => (report ? [{ pid, report }] : []));
    this.#reports = new Map(reported.map(({ pid, report }) => [pid, report]));
    if (reported.some(({ pid }) => !before.has(pid))) return [];
    return reported.flatMap(({ pid, report }) => {
      const last = before.get(pid) ?? report;
      const active = report.activeMs - last.activeMs;
      const total = active + report.idleMs - last.idleMs;
      return total > 0 ? [Math.min(1, Math.max(0, active / total))] : [];
    });
  }

  /** As many as there is memory for. @param {number} desired @param {Worker[]} workers of now */
  async #add(desired, workers) {
    const workerBytes = Math.max(1, ...workers.map(({ memory = 0 }) => memory));
    const freeBytes = Math.max(0, this.#world.freeMemory());
    const possible = Math.min(desired, workers.length + Math.floor(freeBytes / workerBytes));
    if (possible === workers.length) {
      this.#shown.held = { kind: 'memory', free: freeBytes, needed: workerBytes };
    } else {
      await this.#change(possible, { kind: 'busy', share: this.#shown.utilisation ?? 0 });
    }
  }

  /** @param {number} to @param {Fact} reason */
  #change(to, reason) {
    const { name: app, count: from } = this.#app;
    const change = { from, to, reason };
    this.#shown.lastChange = { at: Date.now(), ...change };
    this.#door.log.info('autoscaling.changed', { app, ...change, reason: reasonText(reason) });
    return this.#door.scale(this.#app, to, { because: 'autoscaling', reason });
  }
}

/** @param {SeenApp['spec']} spec @returns {InstanceRange | null} null: it does not scale itself */
function rangeOf({ instances, execMode }) {
  return typeof instances === 'object' && execMode === 'cluster' ? instances : null;
}

/**
 * As the kubelet counts, the cache of files that nobody has read lately is free: the kernel drops it before it kills.
 * @param {{free?: number, read?: typeof readText}} [machine] @returns {number} bytes; below 0 if a limit was lowered
 */
export function freeMemory({ free = freemem(), read = readText } = {}) {
  const left = cgroupDirectories(read).map((directory) => {
    const textOf = (/** @type {string} */ name) => read(join(directory, name));
    const [, cache = '0'] = /^inactive_file (\d+)$/m.exec(textOf('memory.stat')) ?? [];
    return (
      parseInt(textOf('memory.max'), 10) - parseInt(textOf('memory.current'), 10) + Number(cache)
    );
  });
  // Without a limit the file says `max`, and it is missing at the root.
  return Math.min(free, ...left.filter((bytes) => !Number.isNaN(bytes)));
}
