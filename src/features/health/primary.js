/** Health checks of workers (`health`), and what becomes of those that fail. */
import { mayReplace, recentReplacements } from '../../lifecycle/replacement-policy.js';
import { prospectsOf } from '../../primary/pool/serving.js';
import { reportEvent } from '../../primary/worker/report.js';
import { machineMs } from '../../shared/monotonic.js';
import { failsEverywhere, judgeHealth } from './decide.js';
import { WorkerHealth } from './primary-worker.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerPool } from '../../primary/pool/pool.js'
 * @import { Replacements } from '../../primary/pool/replacements.js'
 * @import { Slot } from '../../primary/pool/slot.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { SlotState } from '../../protocol/shapes.js'
 * @import { Health } from './decide.js'
 */

/** @type {MakeFeature} */
export function health({ pool, replacements }) {
  /** @type {WeakMap<WorkerHandle, WorkerHealth>} */
  const all = new WeakMap();
  const watch = new HealthWatch(pool, replacements, all);
  return {
    worker(worker) {
      const own = new WorkerHealth(worker, {
        checked: () => worker.noteCheck(),
        turned: (type, reason) => reportEvent(worker, type, reason),
      });
      all.set(worker, own);
      return {
        trouble: () => (own.isUnhealthy ? `is unhealthy: ${own.current?.reason}` : null),
        firstCheck: () => own.firstCheck,
        started: () => own.look(),
        listens: () => own.listens(),
        held: (isHeld) => own.hold(isHeld),
        ended: () => own.end(),
      };
    },
    startMs: (spec) => spec.health?.startPeriodMs ?? 0,
    snapshot: () => ({ healthFailsEverywhere: watch.failsEverywhere }),
    slot: (worker) => ({ health: worker ? stateOf(all.get(worker)) : null }),
  };
}

/** @param {WorkerHealth} [health] @returns {SlotState['health']} */
function stateOf(health) {
  if (!health?.current) return null;
  const { status, failures, reason, failingSinceMs } = health.current;
  const sinceMs = failingSinceMs === null ? null : machineMs(failingSinceMs);
  return { status, failures, reason, failingSinceMs: sinceMs };
}

/** What the health of all workers means for the app: which of them are replaced. */

/** @typedef {{slot: Slot, worker: WorkerHandle, health: Health}} Checked */

class HealthWatch {
  #pool;
  #replacements;
  #healths;
  /** Workers that are due because of their health. @type {WeakSet<WorkerHandle>} */
  #due = new WeakSet();
  /** Monotonic times at which a worker of each slot became due. @type {WeakMap<Slot, number[]>} */
  #dueMs = new WeakMap();
  /** Whether the check fails on each of several workers. */
  failsEverywhere = false;

  /**
   * @param {WorkerPool} pool
   * @param {Replacements} replacements
   * @param {Pick<WeakMap<WorkerHandle, WorkerHealth>, 'get'>} healths
   */
  constructor(pool, replacements, healths) {
    this.#pool = pool;
    this.#healths = healths;
    this.#replacements = replacements;
    pool.on('change', () => this.#look());
  }

  #look() {
    // The settings may have changed.
    for (const worker of this.#pool.workers.values()) this.#healths.get(worker)?.look();
    const all = this.#checked();
    const views = all.map(({ slot, worker, health }) => {
      return { slot: slot.number, health, isDue: this.#due.has(worker) };
    });
    const slotCount = prospectsOf(this.#pool).filter(({ isComing }) => isComing).length;
    const due = judgeHealth(views, slotCount);
    for (const one of all) {
      if (due.includes(one.slot.number)) this.#markDue(one);
      else this.#unmark(one);
    }
    this.#report(
      all.map(({ health }) => health),
      slotCount,
    );
  }

  /** @returns {Checked[]} the worker of each slot that serves, or else starts */
  #checked() {
    return [...this.#pool.slots.values()].flatMap((slot) => {
      const worker = this.#pool.mainWorkerOf(slot);
      const isLive = worker?.status === 'online' || worker?.status === 'starting';
      const health = isLive ? this.#healths.get(worker)?.current : null;
      return worker && health ? [{ slot, worker, health }] : [];
    });
  }

  /** @param {Checked} checked */
  #markDue({ slot, worker, health }) {
    const times = health.failures === 1 ? 'once' : `${health.failures} times in a row`;
    const reason = `failed its health check ${times} (${health.reason})`;
    // It has failed to start. It may have clients, if no other worker was healthy for some time.
    if (worker.status === 'starting') return worker.end({ drain: { idle: 'close' }, reason });
    const nowMs = performance.now();
    const earlier = recentReplacements(this.#dueMs.get(slot) ?? [], nowMs);
    if (this.#due.has(worker) || !mayReplace(earlier, nowMs)) return;
    this.#due.add(worker);
    this.#dueMs.set(slot, [...earlier, nowMs]);
    this.#replacements.markDue(worker, reason);
  }

  /** @param {Checked} checked whose worker need not, or must not, be replaced */
  #unmark({ worker }) {
    if (this.#due.delete(worker)) this.#replacements.unmark(worker);
  }

  /** @param {Health[]} all @param {number} slotCount */
  #report(all, slotCount) {
    const before = this.failsEverywhere;
    this.failsEverywhere = failsEverywhere(all, slotCount, before);
    if (!before && this.failsEverywhere) {
      this.#pool.emit('event', { type: 'app.unhealthy', reason: all[0].reason ?? undefined });
    }
    // Otherwise it has been stopped, or scaled to one worker.
    const isCured = all.some(({ status }) => status === 'healthy');
    if (before && !this.failsEverywhere && isCured) {
      this.#pool.emit('event', { type: 'app.healthy' });
    }
  }
}
