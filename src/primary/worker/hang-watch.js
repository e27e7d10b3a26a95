/** Looks now and then whose event loop is blocked; shows it, and ends the worker where that is wanted. */
import { LOOK_EVERY_MS, judgeDrain, judgeSilence } from '../../lifecycle/hang-policy.js';

/**
 * @import { WorkerPool } from '../pool/worker-pool.js'
 * @import { WorkerHandle } from './worker-handle.js'
 */

/** @param {WorkerPool} pool */
export function watchForHangs(pool) {
  const watch = new HangWatch(pool.workers, performance.now());
  setInterval(() => watch.look(performance.now()), LOOK_EVERY_MS).unref();
}

export class HangWatch {
  #workers;
  #lastLookMs;

  /**
   * @param {ReadonlyMap<number, WorkerHandle>} workers those that there are, at any time
   * @param {number} nowMs monotonic
   */
  constructor(workers, nowMs) {
    this.#workers = workers;
    this.#lastLookMs = nowMs;
  }

  /** @param {number} nowMs monotonic */
  look(nowMs) {
    const sinceLookMs = nowMs - this.#lastLookMs;
    this.#lastLookMs = nowMs;
    for (const worker of this.#workers.values()) {
      if (worker.isJudged) judge(worker, nowMs, sinceLookMs);
    }
  }
}

/**
 * @param {WorkerHandle} worker
 * @param {number} nowMs
 * @param {number} sinceLookMs
 */
function judge(worker, nowMs, sinceLookMs) {
  const { pulse, drainingSinceMs } = worker;
  const silentMs = nowMs - pulse.lastBeatMs;
  const { hangTimeoutMs, killTimeoutMs } = worker.launch.spec;
  const verdict =
    drainingSinceMs === null
      ? judgeSilence({ silentMs, sinceLookMs, hangTimeoutMs })
      : judgeDrain({ silentMs, sinceLookMs, drainingMs: nowMs - drainingSinceMs, killTimeoutMs });
  if (verdict === 'hung') return worker.endHung(silentMs);
  if (verdict === 'unknown') pulse.lastBeatMs = nowMs;
  const isBlocked = verdict === 'unresponsive';
  if (isBlocked === (pulse.blockedSinceMs !== null)) return;
  worker.setBlocked(isBlocked ? pulse.lastBeatMs : null);
  const { slot, pid, generation } = worker;
  const type = isBlocked ? 'worker.unresponsive' : 'worker.responsive';
  worker.emit('event', { type, slot, pid, generation });
}
