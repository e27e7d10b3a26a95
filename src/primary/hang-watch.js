/** Looks now and then whose event loop is blocked; shows it, and ends the worker if that is wanted. */
import { LOOK_EVERY_MS, judgeSilence } from '../lifecycle/hang-policy.js';

/** @typedef {import('./worker-handle.js').WorkerHandle} WorkerHandle */

/** @param {import('./worker-pool.js').WorkerPool} pool */
export function watchForHangs(pool) {
  let lastLookMs = performance.now();
  setInterval(() => {
    const nowMs = performance.now();
    for (const worker of pool.workers.values()) look(worker, nowMs, nowMs - lastLookMs);
    lastLookMs = nowMs;
  }, LOOK_EVERY_MS).unref();
}

/**
 * @param {WorkerHandle} worker
 * @param {number} nowMs monotonic
 * @param {number} sinceLookMs
 */
function look(worker, nowMs, sinceLookMs) {
  const { pulse } = worker;
  if (!worker.isJudged) return;
  const silentMs = nowMs - pulse.lastBeatMs;
  const { hangTimeoutMs } = worker.launch.spec;
  const verdict = judgeSilence({ silentMs, sinceLookMs, hangTimeoutMs });
  if (verdict === 'hung') return worker.endHung(silentMs);
  if (verdict === 'unknown') pulse.lastBeatMs = nowMs;
  const isBlocked = verdict === 'unresponsive';
  if (isBlocked === (pulse.blockedSince !== null)) return;
  pulse.blockedSince = isBlocked ? Math.round(Date.now() - silentMs) : null;
  worker.emit('change');
}
