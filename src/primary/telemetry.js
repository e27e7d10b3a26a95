/** Requests measurements from the agents, also from those of workers that start later. */
import { within } from '../shared/deadline.js';

/**
 * @import { TelemetryReport } from '../protocol/shapes.js'
 * @import { WorkerPool } from './pool/pool.js'
 */

/** When an agent has not replied by then, its previous report is used. */
const REPLY_TIMEOUT_MS = 250;
const MAX_LEASE_MS = 300_000;

export class Telemetry {
  #pool;
  #measuringUntilMs = 0;

  /** @param {WorkerPool} pool */
  constructor(pool) {
    this.#pool = pool;
    pool.on('worker', (worker) => {
      const leaseMs = this.#measuringUntilMs - performance.now();
      if (leaseMs > 0) worker.agent?.requestTelemetry(leaseMs);
    });
  }

  /** @param {{leaseMs: number}} params how long workers keep measuring without a further request */
  async request({ leaseMs: requested }) {
    const leaseMs = Math.min(Math.max(0, requested), MAX_LEASE_MS);
    this.#measuringUntilMs = Math.max(this.#measuringUntilMs, performance.now() + leaseMs);
    const workers = [...this.#pool.workers.values()];
    const replies = workers.map(({ agent }) => agent?.requestTelemetry(leaseMs));
    await within(Promise.all(replies), REPLY_TIMEOUT_MS);
    return {
      workers: workers.flatMap(({ pid, agent }) => {
        const report = agent?.takeReport();
        return pid !== null && report ? [{ pid, report }] : [];
      }),
    };
  }

  /** How busy the event loops have been of the workers that are online, for apps that scale themselves. */
  async loopTimes() {
    const online = [...this.#pool.workers.values()].filter(({ status }) => status === 'online');
    const replies = online.map(({ agent }) => agent?.channel.askOnce('loop-times'));
    await within(Promise.all(replies), REPLY_TIMEOUT_MS);
    return {
      workers: online.flatMap(({ pid, agent }) =>
        pid !== null && agent?.loopTimes ? [{ pid, ...agent.loopTimes }] : [],
      ),
    };
  }
}
