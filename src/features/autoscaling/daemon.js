/**
 * Scales apps by the load of their event loops, and those whose number of workers is relative to the cores when
 * these change: a container engine may change the CPU limit of a running container, and an administrator may take
 * cores offline. It only acts while nothing else does: a command in progress decides how many workers there are,
 * and a worker that starts or fails says nothing about load.
 */
import { beginScaling, decideScaling, fitMemory } from './decide.js';
import { withoutNulls } from '../../shared/merge-patch.js';
import { formatDuration, formatSize } from '../../shared/units.js';
import { scale } from '../../daemon/control/verbs.js';
import { followsCores, workerBounds, workerCount } from '../../daemon/apps/slots.js';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { availableCores } from '../../daemon/cgroup-limits.js';
import { groupsOf } from '../../shared/cgroups.js';
import { readText } from '../../shared/files/inspect-path.js';

/**
 * @import { InstanceRange } from '../../config/spec.js'
 * @import { ScalingState } from './decide.js'
 * @import { LoopTimes } from '../../protocol/shapes.js'
 * @import { Autoscaling, ScalingChange } from './record.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Log } from '../../daemon/log.js'
 * @import { Metrics } from '../../daemon/queries/telemetry.js'
 * @import { Group, ReadText } from '../../shared/cgroups.js'
 */

const CHECK_EVERY_MS = 2000;
const REPLY_MS = 2000;
/** Of a worker that starts or stops, the load says nothing. */
const SETTLED = ['online', 'unresponsive'];
const FAILED = ['backoff', 'errored', 'exited'];

/** @type {MakeFeature} */
export function autoscaling(daemon) {
  const { metrics, log } = daemon;
  const scaler = new Autoscaler({
    scale: (app, count, reason) => scale(daemon, app, count, reason),
    metrics,
    log,
  });
  return {
    sync: (app) => scaler.sync(app),
    record: (app) => ({ autoscaling: scaler.recordOf(app) }),
  };
}

/**
 * @typedef {Pick<Autoscaling, 'min' | 'max' | 'elu'> & {utilisation: number | null, held: string | null,
 *   lastChange: ScalingChange | null}} State
 *
 * @typedef {object} Watched
 * @property {State} view
 * @property {string} key the range that the state belongs to
 * @property {LoopTimes[]} times at the last check
 * @property {ScalingState} state
 * @property {boolean} isBusy a check of this app has not ended
 */

export class Autoscaler {
  /** @type {Map<App, Watched>} */
  #apps = new Map();
  /** Whose number of workers is relative to the cores. @type {Set<App>} */
  #byCores = new Set();
  /** Runs only while an app scales itself, or follows the cores. @type {NodeJS.Timeout | undefined} */
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

  /** @param {App} app that may have changed */
  sync(app) {
    const range = rangeOf(app);
    const key = JSON.stringify(range);
    if (range === null) this.#apps.delete(app);
    else if (this.#apps.get(app)?.key !== key) this.#watch(app, range, key);
    if (followsCores(app.spec.instances) && !app.deleted) this.#byCores.add(app);
    else this.#byCores.delete(app);
    if (this.#apps.size + this.#byCores.size > 0) {
      this.#timer ??= setInterval(() => this.checkAll(), CHECK_EVERY_MS);
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** @param {App} app @returns {Autoscaling | undefined} undefined: it does not scale itself */
  recordOf(app) {
    const view = this.#apps.get(app)?.view;
    if (!view) return undefined;
    const utilisation = view.utilisation && Math.round(view.utilisation * 100) / 100;
    return withoutNulls({ ...view, utilisation });
  }

  checkAll() {
    if (this.#byCores.size > 0) this.#followCores();
    return Promise.all([...this.#apps].map(([app, watched]) => this.#check(app, watched)));
  }

  /** A check takes 0.15 ms. */
  #followCores() {
    const cores = this.#world.countCores();
    const reason = `${cores === 1 ? '1 core is' : `${cores} cores are`} available now`;
    for (const app of this.#byCores) {
      const from = app.slots.length;
      const to = workerCount(app.spec.instances, from, cores);
      // The daemon's own recovery may change the number of workers too.
      const isReady = app.queue.current === null && app.link.state !== 'unknown';
      if (!isReady || to === from) continue;
      this.#world.log.info('cores.changed', { app: app.name, cores, from, to });
      this.#scaleTo(app, to, reason);
    }
  }

  /** @param {App} app @param {number} to @param {string} reason */
  #scaleTo(app, to, reason) {
    this.#world.scale(app, to, reason).catch((thrown) => this.#logFailure(app, thrown));
  }

  /** @param {App} app @param {unknown} thrown */
  #logFailure({ name }, thrown) {
    this.#world.log.error('autoscaling.failed', { app: name, reason: String(thrown) });
  }

  /** @param {App} app @param {InstanceRange} range @param {string} key */
  #watch(app, range, key) {
    const state = beginScaling(app.slots.length, performance.now());
    const { lastChange = null } = this.#apps.get(app)?.view ?? {};
    const { elu } = range;
    const view = { ...workerBounds(range), elu, utilisation: null, held: null, lastChange };
    this.#apps.set(app, { view, key, times: [], state, isBusy: false });
  }

  /** @param {App} app @param {Watched} watched */
  async #check(app, watched) {
    if (watched.isBusy) return;
    watched.isBusy = true;
    try {
      await this.#follow(app, watched);
    } catch (thrown) {
      this.#logFailure(app, thrown);
    } finally {
      watched.isBusy = false;
    }
  }

  /** @param {App} app @param {Watched} watched */
  async #follow(app, watched) {
    const range = rangeOf(app);
    const { view } = watched;
    if (range === null || this.#apps.get(app) !== watched) return;
    Object.assign(view, workerBounds(range), { held: whyHeld(app) });
    const utilisations = isSettled(app) ? await this.#measure(app, watched, view) : [];
    const nowMs = performance.now();
    const count = app.slots.length;
    // A command may have begun while the workers were asked. What was known before it does not count after it.
    if (!isSettled(app)) {
      Object.assign(watched, { times: [], state: beginScaling(count, nowMs) });
      return;
    }
    const { min, max } = view;
    const bounded = { ...range, min, max };
    const decision = decideScaling(watched.state, { nowMs, count, utilisations }, bounded);
    watched.state = decision.state;
    view.utilisation = decision.utilisation;
    if (count >= max && (decision.utilisation ?? 0) > range.elu) view.held = 'is at its maximum';
    if (decision.count < count) this.#change(app, view, decision.count, range);
    if (decision.count > count) await this.#add(app, view, decision.count, range);
  }

  /** @param {App} app @param {Watched} watched @param {State} view */
  async #measure(app, watched, view) {
    const times = await timesOf(app);
    if (times === null)
      view.held = `primary ${app.link.pid} does not report the load of its workers`;
    const utilisations = utilisationsBetween(watched.times, times ?? []);
    watched.times = times ?? [];
    return utilisations;
  }

  /**
   * As many as there is memory for.
   * @param {App} app @param {State} view @param {number} desired @param {InstanceRange} range
   */
  async #add(app, view, desired, range) {
    const pids = (app.link.snapshot?.slots ?? []).flatMap(({ pid }) => pid ?? []);
    const usages = await this.#world.metrics.sample(pids);
    const workerBytes = Math.max(0, ...[...usages.values()].map(({ memory }) => memory));
    const freeBytes = this.#world.free();
    const count = app.slots.length;
    const possible = fitMemory({ count, desired, freeBytes, workerBytes });
    if (possible > count && isSettled(app)) this.#change(app, view, possible, range);
    if (possible > count) return;
    const free = formatSize(Math.max(0, freeBytes));
    view.held = `${free} of memory are left, and a worker needs ${formatSize(workerBytes)}`;
  }

  /** @param {App} app @param {State} view @param {number} to @param {InstanceRange} range */
  #change(app, view, to, { cooldownMs }) {
    const from = app.slots.length;
    const reason = reasonOf({ from, to, ...view, cooldownMs });
    view.lastChange = { at: Date.now(), from, to, reason };
    this.#world.log.info('autoscaling.changed', { app: app.name, from, to, reason });
    this.#scaleTo(app, to, reason);
  }
}

/** @param {Pick<State, 'min' | 'utilisation'> & {from: number, to: number, cooldownMs: number}} change */
function reasonOf({ from, to, min, utilisation, cooldownMs }) {
  if (from < min) return `min is ${min}`;
  if (to > from) return `event loops were ${Math.round((utilisation ?? 0) * 100)} % busy`;
  const workers = to === 1 ? '1 worker was' : `${to} workers were`;
  return `${workers} enough for ${formatDuration(cooldownMs)}`;
}

/** @param {App} app @returns {InstanceRange | null} null: it does not scale itself */
function rangeOf({ spec, stopped, deleted }) {
  const { instances, execMode } = spec;
  const isScaled = typeof instances === 'object' && execMode === 'cluster';
  return isScaled && !stopped && !deleted ? instances : null;
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

/**
 * More workers would not help one that fails, and the user knows why a worker is stopped.
 * @param {App} app
 */
function whyHeld({ name, link, stoppedSlots }) {
  const [stopped] = stoppedSlots;
  if (stopped !== undefined) return `${name}:${stopped} is stopped`;
  const failed = (link.snapshot?.slots ?? []).find(({ status }) => FAILED.includes(status));
  if (failed === undefined) return null;
  return `${name}:${failed.slot} is ${failed.status === 'backoff' ? 'in backoff' : failed.status}`;
}

/** @param {App} app @returns {Promise<LoopTimes[] | null>} null: no reply */
async function timesOf({ link }) {
  const reply = link.request('loop-times', {}, { timeoutMs: REPLY_MS });
  const { workers } = (await reply.catch(() => null)) ?? { workers: null };
  const own = new Set(link.snapshot?.slots.map(({ pid }) => pid));
  return workers && workers.filter(({ pid }) => own.has(pid));
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

/** @type {Record<Group['version'], {limit: string, used: string, cache: RegExp}>} */
const FILES = {
  v1: {
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    cache: /^total_inactive_file (\d+)$/m,
  },
  v2: { limit: 'memory.max', used: 'memory.current', cache: /^inactive_file (\d+)$/m },
};

/**
 * The smallest of what the machine has and what the limits of the cgroups leave. As the kubelet counts,
 * the cache of files that nobody has read lately is free: the kernel drops it before it kills a process.
 * @param {object} [machine]
 * @param {number} [machine.free] bytes; on Linux MemAvailable
 * @param {ReadText} [machine.read]
 * @returns {number} bytes; below 0 if a limit was lowered
 */
export function freeMemory({ free = freemem(), read = readText } = {}) {
  return Math.min(free, ...groupsOf('memory', read).map((group) => leftIn(group, read)));
}

/** @param {Group} group @param {ReadText} read */
function leftIn({ version, directory }, read) {
  const { limit, used, cache } = FILES[version];
  const text = (/** @type {string} */ name) => read(join(directory, name));
  const limitBytes = bytesOf(text(limit));
  const usedBytes = bytesOf(text(used));
  // Without a limit the file says `max`, or with v1 a number near 2^63, and it is missing at the root.
  if (limitBytes === null || usedBytes === null) return Infinity;
  return limitBytes - usedBytes + Number(cache.exec(text('memory.stat'))?.[1] ?? 0);
}

/** @param {string} text */
function bytesOf(text) {
  return /^\d+\s*$/.test(text) ? Number(text) : null;
}
