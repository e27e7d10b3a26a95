/** Asks the agents what they measure, and has workers that start meanwhile measure as well. */
import { LATENCY_BOUNDS_MS } from '../../lifecycle/latency.js';

/**
 * @import { TelemetryReport } from '../../protocol/shapes.js'
 * @import { WorkerPool } from '../pool/pool.js'
 */

/** What an agent may take to answer; of one that is busy longer, the report before is given. */
const ANSWER_MS = 250;
const MAX_LEASE_MS = 300_000;

export class Telemetry {
  #pool;
  /** Monotonic. */
  #untilMs = 0;

  /** @param {WorkerPool} pool */
  constructor(pool) {
    this.#pool = pool;
    pool.on('worker', (worker) => {
      const leaseMs = this.#untilMs - performance.now();
      if (leaseMs > 0) worker.telemetry.request({ leaseMs, boundsMs: LATENCY_BOUNDS_MS });
    });
  }

  /**
   * @param {{leaseMs: number}} order how long the workers go on measuring when nobody asks again
   * @returns {Promise<{workers: {pid: number, report: TelemetryReport}[]}>} of those that have an agent
   */
  async ask({ leaseMs: wanted }) {
    const leaseMs = Math.min(Math.max(0, Number(wanted) || 0), MAX_LEASE_MS);
    this.#untilMs = Math.max(this.#untilMs, performance.now() + leaseMs);
    const workers = [...this.#pool.workers.values()];
    const order = { leaseMs, boundsMs: LATENCY_BOUNDS_MS };
    await inTime(Promise.all(workers.map(({ telemetry }) => telemetry.request(order))));
    return {
      workers: workers.flatMap(({ pid, telemetry: { report } }) =>
        pid === null || report === null ? [] : [{ pid, report }],
      ),
    };
  }
}

/** @param {Promise<unknown>} promise */
async function inTime(promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
