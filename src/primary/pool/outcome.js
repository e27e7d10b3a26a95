/** Waits until a command has taken effect, and returns the outcome of each of its slots. */
import { joinKilled } from '../../lifecycle/killed.js';
import { hasEnded } from '../../lifecycle/restart-policy.js';
import { lookAtTrees } from '../worker/tree-watch.js';
import { notesOf } from './listening.js';

/**
 * @import { Killed, Outcome, Progress, SlotFailure, SlotNote } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { App } from './app.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/**
 * @param {Pick<App, 'pool'>} app
 * @param {Slot[]} slots
 * @returns {Promise<Outcome>} when each of the slots has been online for `min_uptime`, is late, or has failed once
 */
export async function untilStarted({ pool }, slots) {
  const recording = recordOutcome(pool);
  // One that was late may be in time after all, as soon as it gets the CPU.
  do {
    await untilDecided(pool, slots);
    await exitsReported(slots);
  } while (!isDecided(pool, slots));
  await lookAtTrees(slots.flatMap((slot) => pool.workersOf(slot)));
  const isDone = (/** @type {Slot} */ slot) =>
    slot.blocked === 'exited' || (pool.hasDesiredWorker(slot) && !slot.hasFailed);
  const failures = await failuresOf(pool, slots, isDone);
  const ended = slots.filter(
    (slot) => slot.blocked === null && hasEnded({ ...failures.get(slot) }, slot.launch.hasListened),
  );
  for (const slot of ended) failures.delete(slot);
  return recording.end({
    done: slots.filter((slot) => !failures.has(slot)),
    failed: slots.flatMap((slot) => failures.get(slot) ?? []),
    notes: ended.map(({ number: slot }) => ({ slot, note: { kind: 'ended' } })),
  });
}

/** @param {WorkerPool} pool @param {Slot[]} slots @returns {Promise<void>} when each is up for `min_uptime`, late, or has failed */
export async function untilDecided(pool, slots) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  await pool.until(() => {
    clearTimeout(timer);
    const restMs = Math.max(0, ...slots.map((slot) => pendingMs(pool, slot)));
    if (restMs > 0 && restMs < Infinity) timer = setTimeout(() => pool.changed(), restMs);
    return isDecided(pool, slots);
  });
}

/** @param {WorkerPool} pool @param {Slot[]} slots */
function isDecided(pool, slots) {
  return pool.isEnding || slots.every((slot) => pendingMs(pool, slot) === 0);
}

/**
 * A failure is known when its worker has exited, and meanwhile another slot may fail.
 * @param {WorkerPool} pool
 * @param {Slot[]} slots
 * @param {(slot: Slot) => boolean} isDone
 * @returns {Promise<Map<Slot, SlotFailure>>} of those that are not done
 */
export async function failuresOf(pool, slots, isDone) {
  /** @type {Map<Slot, SlotFailure>} */
  const failures = new Map();
  for (;;) {
    const failed = slots.filter((slot) => !failures.has(slot) && !isDone(slot));
    if (failed.length === 0) return failures;
    const all = await Promise.all(failed.map((slot) => failureOf(pool, slot)));
    for (const [index, slot] of failed.entries()) failures.set(slot, all[index]);
  }
}

/** @param {WorkerPool} pool @param {Slot} slot @returns {boolean} whether it does what it should, or has done so */
export function isUp(pool, slot) {
  return slot.blocked === 'exited' || pool.hasDesiredWorker(slot);
}

/**
 * Most programs that cannot run say so in their first second, also after they listen.
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @returns {number} ms until it counts as started, or Infinity; 0: it does, has failed, or is late
 */
function pendingMs(pool, slot) {
  if (slot.hasFailed || slot.blocked !== null) return 0;
  const worker = pool.desiredWorkerOf(slot);
  if (worker) return worker.readiness.restMs;
  return pool.workersOf(slot).at(-1)?.readiness.late ? 0 : Infinity;
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

/** @param {WorkerPool} pool @param {Slot} slot */
export async function failureOf(pool, slot) {
  const hasFailed = slot.hasFailed || slot.blocked !== null;
  slot.hasFailed = false;
  const failure = hasFailed ? await slot.lastFailure : null;
  if (failure) return failure;
  const worker = pool.workersOf(slot).at(-1);
  return {
    slot: slot.number,
    reason: worker?.readiness.late ?? 'is not online',
    lastLines: worker?.output.linesSoFar ?? [],
  };
}

/** Records what can be seen only while the command runs. @param {WorkerPool} pool */
export function recordOutcome(pool) {
  const startedMs = performance.now();
  let minReady = pool.readyCount;
  let longLivedCut = 0;
  const onChange = () => (minReady = Math.min(minReady, pool.readyCount));
  /** @type {Killed | undefined} */
  let killed;
  const onProgress = (/** @type {Pick<Progress, 'cut' | 'killed'>} */ step) => {
    longLivedCut += step.cut ?? 0;
    killed = joinKilled(killed, step.killed);
  };
  pool.on('change', onChange).on('progress', onProgress);
  return {
    /** @param {{done: Slot[], failed?: SlotFailure[], kept?: Slot[], rolledBack?: Slot[], notes?: SlotNote[]}} result @returns {Outcome} */
    end({ done, failed = [], kept = [], rolledBack = [], notes = [] }) {
      pool.off('change', onChange).off('progress', onProgress);
      return {
        ok: failed.length === 0,
        done: numbersOf(done),
        failed,
        kept: numbersOf(kept),
        rolledBack: numbersOf(rolledBack),
        longLivedCut,
        killed,
        minReady,
        durationMs: Math.round(performance.now() - startedMs),
        ...withNotes(pool, done, notes),
      };
    },
  };
}

/** @param {WorkerPool} pool @param {Slot[]} slots @param {SlotNote[]} more @returns {Pick<Outcome, 'notes'>} */
function withNotes(pool, slots, more) {
  const online = [...pool.workers.values()].filter(({ status }) => status === 'online');
  const listening = notesOf(online);
  const notes = [...more];
  const heldBy = (/** @type {WorkerHandle} */ { listening: { below } }) =>
    below.filter(({ isFirst }) => isFirst).map(({ address }) => address);
  for (const worker of slots.flatMap((slot) => pool.desiredWorkerOf(slot) ?? [])) {
    const { slot, launch } = worker;
    const { holders: places, size } = worker.listening;
    const note = listening.get(worker);
    if (note) notes.push({ slot, note });
    if (launch.leftWork) notes.push({ slot, note: { kind: 'left-work', text: launch.leftWork } });
    if (places[0]) notes.push({ slot, note: { kind: 'below', places, isAlone: size === 0 } });
    const holder = online.find((other) => other.launch === launch && heldBy(other).length > 0);
    if (holder && worker.listening.below.length === 0) {
      const addresses = heldBy(holder);
      notes.push({ slot, note: { kind: 'unshared', addresses, holder: holder.slot } });
    }
  }
  return notes.length > 0 ? { notes } : {};
}

/** @param {Slot[]} slots */
function numbersOf(slots) {
  return slots.map(({ number }) => number);
}
