/** What the health of all workers means for the app: which of them are replaced. */
import { failsEverywhere, judgeHealth } from '../../lifecycle/health-policy.js';
import { mayReplace, recentReplacements } from '../../lifecycle/replacing/memory-policy.js';

/**
 * @import { Health } from '../../lifecycle/health-policy.js'
 * @import { Replacements } from '../pool/replacements.js'
 * @import { WorkerPool } from '../pool/pool.js'
 * @import { Slot } from '../pool/slot.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

/** @typedef {{slot: Slot, worker: WorkerHandle, health: Health}} Checked */

export class HealthWatch {
  #pool;
  #replacements;
  /** Workers that are due because of their health. @type {WeakSet<WorkerHandle>} */
  #due = new WeakSet();
  /** Monotonic times at which a worker of each slot became due. @type {WeakMap<Slot, number[]>} */
  #dueMs = new WeakMap();
  #failsEverywhere = false;

  /** @param {WorkerPool} pool @param {Replacements} replacements */
  constructor(pool, replacements) {
    this.#pool = pool;
    this.#replacements = replacements;
    pool.on('change', () => this.#look());
  }

  #look() {
    // The settings may have changed.
    for (const { health } of this.#pool.workers.values()) health.look();
    const all = this.#checked();
    const views = all.map(({ slot, worker, health }) => {
      return { slot: slot.number, health, isDue: this.#due.has(worker) };
    });
    const due = judgeHealth(views);
    for (const one of all) {
      if (due.includes(one.slot.number)) this.#markDue(one);
      else this.#unmark(one);
    }
    this.#report(all.map(({ health }) => health));
  }

  /** @returns {Checked[]} the worker of each slot that serves, or else starts */
  #checked() {
    return [...this.#pool.slots.values()].flatMap((slot) => {
      const worker = this.#pool.mainWorkerOf(slot);
      const isLive = worker?.status === 'online' || worker?.status === 'starting';
      const health = isLive ? worker.health.current : null;
      return worker && health ? [{ slot, worker, health }] : [];
    });
  }

  /** @param {Checked} checked */
  #markDue({ slot, worker, health }) {
    const nowMs = performance.now();
    const earlier = recentReplacements(this.#dueMs.get(slot) ?? [], nowMs);
    if (this.#due.has(worker) || !mayReplace(earlier, nowMs)) return;
    this.#due.add(worker);
    this.#dueMs.set(slot, [...earlier, nowMs]);
    const times = health.failures === 1 ? 'once' : `${health.failures} times in a row`;
    this.#replacements.markDue(worker, `failed its health check ${times} (${health.reason})`);
  }

  /** @param {Checked} checked whose worker need not, or must not, be replaced */
  #unmark({ worker }) {
    if (this.#due.delete(worker)) this.#replacements.unmark(worker);
  }

  /** @param {Health[]} all */
  #report(all) {
    const before = this.#failsEverywhere;
    this.#failsEverywhere = failsEverywhere(all);
    if (before === this.#failsEverywhere) return;
    const type = this.#failsEverywhere ? 'app.unhealthy' : 'app.healthy';
    this.#pool.emit('event', { type, reason: all[0]?.reason ?? undefined });
  }
}
