/**
 * Scales apps by the load of their event loops, and those whose number of workers is relative to the cores when
 * these change: a container engine may change the CPU limit of a running container, and an administrator may take
 * cores offline. It only acts while nothing else does: a command in progress decides how many workers there are,
 * and a worker that starts or fails says nothing about load.
 */
import { beginScaling, decideScaling } from './decide.js';
import { freeMemory } from './free-memory.js';
import { formatDuration, formatSize } from '../../shared/units.js';
import { scale } from '../../daemon/control/verbs.js';
import { besideApps } from '../../daemon/features.js';
import { followsCores, workerBounds, workerCount } from '../../daemon/apps/slots.js';
import { availableCores } from '../../daemon/cgroup-limits.js';

/**
 * @import { InstanceRange } from '../../config/spec.js'
 * @import { LoopTimes } from '../../protocol/shapes.js'
 * @import { Autoscaling } from './record.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Log } from '../../daemon/log.js'
 * @import { Metrics } from '../../daemon/queries/telemetry.js'
 */

const CHECK_EVERY_MS = 2000;
const REPLY_MS = 2000;
/** Of a worker that starts or stops, the load says nothing. */
const SETTLED = ['online', 'unresponsive'];

/** @type {MakeFeature} */
export function autoscaling(daemon) {
  const { metrics, log } = daemon;
  const scaler = new Autoscaler({
    scale: (app, count, reason) => scale(daemon, app, count, reason),
    metrics,
    log,
  });
  return { sync: scaler.sync, record: (app) => ({ autoscaling: scaler.recordOf(app) }) };
}

/** @typedef {ReturnType<typeof beginWatching>} Watched */

/** @param {App} app */
function beginWatching({ slots }) {
  return {
    /** At the last check. @type {LoopTimes[]} */
    times: [],
    state: beginScaling(slots.length, performance.now()),
    /** In its record. @type {Pick<Autoscaling, 'utilisation' | 'held' | 'lastChange'>} */
    shown: {},
    isBusy: false,
  };
}

export class Autoscaler {
  /** Those that scale themselves, or follow the cores. @type {Map<App, Watched>} */
  #apps = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #world;

  /**
   * @param {object} world
   * @param {(app: App, count: number, reason: string) => Promise<unknown>} world.scale
   * @param {Metrics} world.metrics
   * @param {Log} world.log
   * @param {() => number} [world.free] bytes of memory
   * @param {() => number} [world.countCores]
   */
  constructor(world) {
    this.#world = { free: freeMemory, countCores: availableCores, ...world };
  }

  sync = besideApps(
    (app) =>
      rangeOf(app) || followsCores(app.spec.instances) ? JSON.stringify(app.spec.instances) : null,
    (app) => {
      this.#apps.set(app, beginWatching(app));
      this.#timer ??= setInterval(() => this.checkAll(), CHECK_EVERY_MS);
      return () => {
        this.#apps.delete(app);
        if (this.#apps.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      };
    },
  );

  /** @param {App} app @returns {Autoscaling | undefined} undefined: it does not scale itself */
  recordOf(app) {
    const range = rangeOf(app);
    const { shown } = this.#apps.get(app) ?? {};
    return range && shown ? { ...workerBounds(range), elu: range.elu, ...shown } : undefined;
  }

  checkAll() {
    const cores = this.#world.countCores();
    return Promise.all([...this.#apps.keys()].map((app) => this.#check(app, cores)));
  }

  /** @param {App} app @param {number} cores */
  async #check(app, cores) {
    const watched = this.#apps.get(app);
    if (!watched || watched.isBusy) return;
    watched.isBusy = true;
    try {
      const allowed = workerCount(app.spec.instances, app.slots.length, cores);
      if (allowed === app.slots.length) await this.#follow(app, watched);
      // The daemon's own recovery may change the number of workers too.
      else if (app.queue.current === null && app.link.state !== 'unknown') {
        const available = `${cores === 1 ? '1 core is' : `${cores} cores are`} available now`;
        await this.#change(app, watched, allowed, available);
      }
    } catch (thrown) {
      this.#world.log.error('autoscaling.failed', { app: app.name, reason: String(thrown) });
    } finally {
      watched.isBusy = false;
    }
  }

  /** @param {App} app @param {Watched} watched */
  async #follow(app, watched) {
    const range = rangeOf(app);
    if (range === null) return;
    const times = isSettled(app) ? await timesOf(app) : [];
    const nowMs = performance.now();
    const count = app.slots.length;
    // A command may have begun while the workers were asked. What was known before it does not count after it.
    if (!isSettled(app)) {
      Object.assign(watched, { times: [], state: beginScaling(count, nowMs) });
      return;
    }
    const look = { nowMs, count, utilisations: utilisationsBetween(watched.times, times) };
    const bounded = { ...range, ...workerBounds(range) };
    const { state, count: to, utilisation } = decideScaling(watched.state, look, bounded);
    Object.assign(watched, { times, state });
    const { shown } = watched;
    delete shown.held;
    if (utilisation !== null) shown.utilisation = Math.round(utilisation * 100) / 100;
    if (to > count) await this.#add(app, watched, to);
    if (to >= count) return;
    const workers = to === 1 ? '1 worker was' : `${to} workers were`;
    await this.#change(
      app,
      watched,
      to,
      `${workers} enough for ${formatDuration(range.cooldownMs)}`,
    );
  }

  /** As many as there is memory for. @param {App} app @param {Watched} watched @param {number} desired */
  async #add(app, watched, desired) {
    const count = app.slots.length;
    const pids = (app.link.snapshot?.slots ?? []).flatMap(({ pid }) => pid ?? []);
    const usages = await this.#world.metrics.sample(pids);
    const workerBytes = Math.max(1, ...[...usages.values()].map(({ memory }) => memory));
    const freeBytes = Math.max(0, this.#world.free());
    const { shown } = watched;
    const possible = Math.min(desired, count + Math.floor(freeBytes / workerBytes));
    if (possible === count) {
      shown.held = `${formatSize(freeBytes)} of memory are left, and a worker needs ${formatSize(workerBytes)}`;
    } else if (isSettled(app)) {
      const busy = Math.round((shown.utilisation ?? 0) * 100);
      await this.#change(app, watched, possible, `event loops were ${busy} % busy`);
    }
  }

  /** @param {App} app @param {Watched} watched @param {number} to @param {string} reason */
  #change(app, { shown }, to, reason) {
    const from = app.slots.length;
    shown.lastChange = { at: Date.now(), from, to, reason };
    this.#world.log.info('autoscaling.changed', { app: app.name, from, to, reason });
    return this.#world.scale(app, to, reason);
  }
}

/** @param {App} app @returns {InstanceRange | null} null: it does not scale itself */
function rangeOf({ spec: { instances, execMode } }) {
  return typeof instances === 'object' && execMode === 'cluster' ? instances : null;
}

/** @param {App} app @returns {boolean} whether no command is in progress, and no worker starts or stops */
function isSettled({ queue, link, slots, stoppedSlots }) {
  if (queue.current !== null || link.state !== 'connected' || link.snapshot?.busy) return false;
  const states = link.snapshot?.slots ?? [];
  return (
    stoppedSlots.length === 0 &&
    slots.length === states.length &&
    states.every(({ status }) => SETTLED.includes(status))
  );
}

/** @param {App} app @returns {Promise<LoopTimes[]>} none: no reply */
async function timesOf({ link }) {
  const reply = link.request('loop-times', {}, { timeoutMs: REPLY_MS });
  const { workers } = await reply.catch(() => ({ workers: [] }));
  const own = new Set(link.snapshot?.slots.map(({ pid }) => pid));
  return workers.filter(({ pid }) => own.has(pid));
}

/**
 * @param {readonly LoopTimes[]} before
 * @param {readonly LoopTimes[]} after
 * @returns {number[]} one for each worker whose event loop has turned in between; none if a worker is
 *   new, since it is not known yet how much load it takes from the others
 */
export function utilisationsBetween(before, after) {
  const known = new Map(before.map((times) => [times.pid, times]));
  if (after.some(({ pid }) => !known.has(pid))) return [];
  return after.flatMap(({ pid, activeMs, idleMs }) => {
    const first = /** @type {LoopTimes} */ (known.get(pid));
    const active = activeMs - first.activeMs;
    const total = active + idleMs - first.idleMs;
    return total > 0 ? [Math.min(1, Math.max(0, active / total))] : [];
  });
}
