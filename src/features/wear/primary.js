/** Which workers are due to be replaced because of `max_requests` or `max_age`. */
import { withJitter } from './decide.js';
import { formatDuration } from '../../shared/units.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { WorkerPool } from '../../primary/pool/pool.js'
 * @import { Replacements } from '../../primary/pool/replacements.js'
 */

/** Node's timers turn longer delays into 1 ms. */
const MAX_WAIT_MS = 3_600_000;

/** @type {MakeFeature} */
export function wear({ pool, replacements }) {
  const limits = new Wear(pool, replacements);
  return { configured: () => limits.configure() };
}

class Wear {
  #pool;
  #replacements;
  /** @type {WeakMap<WorkerHandle, {random: number, timer?: NodeJS.Timeout}>} */
  #workers = new WeakMap();

  /** @param {WorkerPool} pool @param {Replacements} replacements */
  constructor(pool, replacements) {
    this.#pool = pool;
    this.#replacements = replacements;
    pool.on('worker', (/** @type {WorkerHandle} */ worker) => {
      this.#workers.set(worker, { random: Math.random() });
      worker.on('worn', (requests) => {
        // Programs can forge the report.
        if (!worker.launch.spec.maxRequests) return;
        replacements.markDue(worker, `answered ${requests.toLocaleString('en')} requests`);
      });
      worker.once('exit', () => clearTimeout(this.#workers.get(worker)?.timer));
      this.#limit(worker);
    });
  }

  /** The settings of the app have changed. */
  configure() {
    for (const worker of this.#pool.workers.values()) this.#limit(worker);
  }

  /** @param {WorkerHandle} worker */
  #limit(worker) {
    const own = this.#workers.get(worker);
    if (!own) return;
    const { maxRequests, maxAgeMs } = worker.launch.spec;
    worker.agent?.limitRequests(maxRequests ? withJitter(maxRequests, own.random) : null);
    clearTimeout(own.timer);
    if (maxAgeMs) this.#waitForAge(worker, withJitter(maxAgeMs, own.random));
  }

  /** @param {WorkerHandle} worker @param {number} maxAgeMs */
  #waitForAge(worker, maxAgeMs) {
    const own = this.#workers.get(worker);
    const restMs = maxAgeMs - worker.uptimeMs;
    if (!own) return;
    if (restMs <= 0) {
      this.#replacements.markDue(worker, `reached the age of ${formatDuration(maxAgeMs)}`);
      return;
    }
    const waitMs = Math.min(restMs, MAX_WAIT_MS) + 1;
    own.timer = setTimeout(() => this.#waitForAge(worker, maxAgeMs), waitMs);
  }
}
