/** Waits until a command has taken effect, and returns the outcome of each of its slots. */
import { MAX_STRETCH, firstUptimeMs } from '../../lifecycle/readiness.js';
import { notesOf, takeSharingNotes } from './listening.js';

/**
 * @import { Outcome, SlotFailure } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/** Added to the timeout, so that a worker's own deadline fires first: it knows the reason. */
const MARGIN_MS = 100;
/** Time to load a program before its `min_uptime` begins. */
const LOADING_MS = 1000;

/**
 * @param {App} app
 * @param {Slot[]} slots
 * @returns {Promise<Outcome>} when each of the slots is online or has failed once; after a recent
 *   failure, it must stay online for `min_uptime`
 */
export async function untilStarted({ pool, launch, features }, slots) {
  const recording = recordOutcome(pool);
  const { listenTimeoutMs, waitReady } = launch.spec;
  const startingMs = Math.max(listenTimeoutMs, firstUptimeMs(launch.spec) + LOADING_MS);
  const timeoutMs = Math.max(startingMs, features.startMs(launch.spec));
  const limitMs = timeoutMs + MARGIN_MS;
  const begunMs = performance.now();
  let isLate = false;
  const onTime = () => {
    const restMs = Math.max(0, ...slots.map((slot) => limitMs - clockOf(pool, slot, begunMs)));
    if (restMs > 0) timer = setTimeout(onTime, restMs);
    else {
      isLate = true;
      pool.changed();
    }
  };
  // With wait_ready the worker's own deadline fires at that time, and gives the reason.
  let timer = waitReady ? undefined : setTimeout(onTime, limitMs);
  /** @type {NodeJS.Timeout | undefined} */
  let wakeTimer;
  await pool.until(() => {
    clearTimeout(wakeTimer);
    const restMs = Math.max(0, ...slots.map((slot) => pendingMs(pool, slot)));
    if (restMs > 0 && restMs < Infinity) wakeTimer = setTimeout(() => pool.changed(), restMs);
    return isLate || restMs === 0;
  });
  clearTimeout(wakeTimer);
  clearTimeout(timer);
  await exitsReported(slots);
  const lateReason = `was not online within ${timeoutMs / 1000} s`;
  const isDone = (/** @type {Slot} */ slot) =>
    slot.blocked === 'exited' || (pool.hasDesiredWorker(slot) && !slot.hasFailed);
  const failures = await failuresOf(pool, slots, isDone, lateReason);
  return recording.end({
    done: slots.filter((slot) => !failures.has(slot)),
    failed: slots.flatMap((slot) => failures.get(slot) ?? []),
  });
}

/**
 * A failure is known when its worker has exited, and meanwhile another slot may fail.
 * @param {WorkerPool} pool
 * @param {Slot[]} slots
 * @param {(slot: Slot) => boolean} isDone
 * @param {string} lateReason of those that have not failed yet
 * @returns {Promise<Map<Slot, SlotFailure>>} of those that are not done
 */
export async function failuresOf(pool, slots, isDone, lateReason) {
  /** @type {Map<Slot, SlotFailure>} */
  const failures = new Map();
  for (;;) {
    const failed = slots.filter((slot) => !failures.has(slot) && !isDone(slot));
    if (failed.length === 0) return failures;
    const found = failed.map((slot) => failureOf(pool, slot, lateReason));
    const all = await Promise.all(found);
    for (const [index, slot] of failed.entries()) failures.set(slot, all[index]);
  }
}

/** @param {WorkerPool} pool @param {Slot} slot @returns {boolean} whether it does what it should, or has done so */
export function isUp(pool, slot) {
  return slot.blocked === 'exited' || pool.hasDesiredWorker(slot);
}

/**
 * A program that listens and then crashes is online for a moment in each round, so after a recent
 * failure being online is not enough.
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @returns {number} ms until it counts as started, or Infinity; 0: it does, or has failed
 */
function pendingMs(pool, slot) {
  const { hasFailed, blocked, failedAtMs, launch } = slot;
  if (hasFailed || blocked !== null) return 0;
  const worker = pool.desiredWorkerOf(slot);
  if (!worker) return Infinity;
  const nowMs = performance.now();
  const { restartWindowMs } = launch.spec;
  const hasFailedLately = failedAtMs !== null && nowMs - failedAtMs < restartWindowMs;
  return hasFailedLately
    ? Math.max(0, Math.ceil((worker.onlineAtMs ?? nowMs) + firstUptimeMs(launch.spec) - nowMs))
    : 0;
}

/**
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @param {number} begunMs when the command began
 * @returns {number} ms that count as waiting for it; Infinity: it is not waited for
 */
function clockOf(pool, slot, begunMs) {
  if (pendingMs(pool, slot) === 0) return Infinity;
  const sinceMs = performance.now() - begunMs;
  const worker = pool.workersOf(slot).at(-1);
  // Forks are spread over time, and each takes long on a busy machine.
  if (worker === undefined) return sinceMs / MAX_STRETCH;
  // Its own time is shorter where it has waited for a CPU, also if it started before the command.
  return worker.onlineAtMs === null ? Math.min(sinceMs, worker.readiness.clockMs) : sinceMs;
}

/** @param {App} app @param {Slot[]} slots @returns when no worker of the slots is left */
export async function untilStopped({ pool }, slots) {
  const recording = recordOutcome(pool);
  await pool.until(() => slots.every((slot) => pool.workersOf(slot).length === 0));
  return recording.end({ done: slots });
}

/**
 * An exit is reported with its last lines, and must be reported before the command's outcome.
 * @param {Slot[]} slots
 */
export async function exitsReported(slots) {
  const exited = slots.filter(({ blocked }) => blocked === 'exited');
  await Promise.all(exited.map(({ lastFailure }) => lastFailure));
}

/** @param {WorkerPool} pool @param {Slot} slot @param {string} lateReason if nothing has failed yet */
async function failureOf(pool, slot, lateReason) {
  const hasFailed = slot.hasFailed || slot.blocked !== null;
  slot.hasFailed = false;
  const failure = hasFailed ? await slot.lastFailure : null;
  if (failure) return failure;
  const worker = pool.workersOf(slot).at(-1);
  return {
    slot: slot.number,
    reason: worker?.readiness.late ?? lateReason,
    lastLines: worker?.output.linesSoFar ?? [],
  };
}

/** Records what can be seen only while the command runs. @param {WorkerPool} pool */
export function recordOutcome(pool) {
  const startedMs = performance.now();
  let minReady = pool.readyCount;
  let longLivedCut = 0;
  const onChange = () => (minReady = Math.min(minReady, pool.readyCount));
  const onProgress = (/** @type {{cut?: number}} */ { cut }) => (longLivedCut += cut ?? 0);
  pool.on('change', onChange).on('progress', onProgress);
  return {
    /** @param {{done: Slot[], failed?: SlotFailure[], kept?: Slot[], rolledBack?: Slot[]}} result @returns {Outcome} */
    end({ done, failed = [], kept = [], rolledBack = [] }) {
      pool.off('change', onChange).off('progress', onProgress);
      return {
        ok: failed.length === 0,
        done: numbersOf(done),
        failed,
        kept: numbersOf(kept),
        rolledBack: numbersOf(rolledBack),
        longLivedCut,
        minReady,
        durationMs: Math.round(performance.now() - startedMs),
        ...withNotes(pool, done),
      };
    },
  };
}

/** @param {WorkerPool} pool @param {Slot[]} slots @returns {Pick<Outcome, 'notes'>} */
function withNotes(pool, slots) {
  const online = [...pool.workers.values()].filter(({ status }) => status === 'online');
  const notes = [...notesOf(online), ...takeSharingNotes(pool, online)]
    .filter(([worker]) => slots.some((slot) => pool.desiredWorkerOf(slot) === worker))
    .map(([{ slot }, note]) => ({ slot, note }));
  return notes.length > 0 ? { notes } : {};
}

/** @param {Slot[]} slots */
function numbersOf(slots) {
  return slots.map(({ number }) => number);
}
