/** What became of the slots that a command was about. */
/**
 * @import { Outcome, SlotFailure } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 * @import { Slot } from './slot.js'
 * @import { WorkerPool } from './worker-pool.js'
 */

/** By which a worker tells earlier what it should have done in that time, in milliseconds. */
const MOMENT_MS = 100;
/** What loading a program may take before its \`min_uptime\` begins, in milliseconds. */
const LOADING_MS = 1000;

/**
 * Waits until each of the slots is online or has failed once.
 * @param {App} app
 * @param {Slot[]} slots
 * @returns {Promise<Outcome>}
 */
export async function settled(app, slots) {
  const { pool } = app;
  const watch = watchPool(pool);
  const { listenTimeoutMs, minUptimeMs, waitReady } = app.launch.spec;
  const patienceMs = Math.max(listenTimeoutMs, minUptimeMs + LOADING_MS);
  let isLate = false;
  const onLate = () => {
    isLate = true;
    pool.changed();
  };
  // With wait_ready the worker itself is given up at that time, and its failure says why.
  const timer = waitReady ? undefined : setTimeout(onLate, patienceMs + MOMENT_MS);
  const isPending = (/** @type {Slot} */ slot) =>
    !pool.isOnTarget(slot) && !slot.hasFailed && slot.blocked === null;
  await pool.until(() => (isLate || !slots.some(isPending) ? true : null));
  clearTimeout(timer);
  await exitsTold(slots);
  // A program that ended as it may has done what it was started for.
  const isDone = (/** @type {Slot} */ slot) => pool.isOnTarget(slot) || slot.blocked === 'exited';
  const failed = slots.filter((slot) => !isDone(slot));
  return watch.outcome({
    done: slots.filter(isDone),
    failed: await Promise.all(
      failed.map((slot) => failureOf(pool, slot, `was not online within ${patienceMs / 1000} s`)),
    ),
  });
}

/**
 * Waits until no worker of the slots is left.
 * @param {App} app
 * @param {Slot[]} slots
 * @returns {Promise<Outcome>}
 */
export async function gone({ pool }, slots) {
  const watch = watchPool(pool);
  await pool.until(() => slots.every((slot) => pool.workersOf(slot.number).length === 0) || null);
  return watch.outcome({ done: slots });
}

/**
 * That a program has ended as it may is told when its last words have come: before the outcome.
 * @param {Slot[]} slots
 */
export async function exitsTold(slots) {
  const ended = slots.filter((slot) => slot.blocked === 'exited');
  await Promise.all(ended.map((slot) => slot.lastFailure));
}

/**
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @param {string} otherwise the reason, when nothing has died
 * @returns {Promise<SlotFailure>}
 */
async function failureOf(pool, slot, otherwise) {
  const failed = slot.hasFailed || slot.blocked !== null;
  slot.hasFailed = false;
  const failure = failed ? await slot.lastFailure : null;
  if (failure) return failure;
  const worker = pool.workersOf(slot.number).at(-1);
  const lastLines = worker?.output.linesSoFar ?? [];
  return { slot: slot.number, reason: worker?.readiness.late ?? otherwise, lastLines };
}

/**
 * Counts, from now on, what only shows while it happens.
 * @param {WorkerPool} pool
 */
export function watchPool(pool) {
  const began = performance.now();
  let minReady = pool.onlineCount;
  let longLivedCut = 0;
  const onChange = () => (minReady = Math.min(minReady, pool.onlineCount));
  const onProgress = (/** @type {{cut?: number}} */ { cut }) => (longLivedCut += cut ?? 0);
  pool.on('change', onChange).on('progress', onProgress);
  return {
    /**
     * @param {{done: Slot[], failed?: SlotFailure[], kept?: Slot[], rolledBack?: Slot[]}} result
     * @returns {Outcome}
     */
    outcome({ done, failed = [], kept = [], rolledBack = [] }) {
      pool.off('change', onChange).off('progress', onProgress);
      return {
        ok: failed.length === 0,
        done: done.map((slot) => slot.number),
        failed,
        kept: kept.map((slot) => slot.number),
        rolledBack: rolledBack.map((slot) => slot.number),
        longLivedCut,
        minReady,
        durationMs: Math.round(performance.now() - began),
      };
    },
  };
}
