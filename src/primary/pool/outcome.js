/** Waits until a command has taken effect, and returns the outcome of each of its slots. */
import { joinKilled } from '../../lifecycle/killed.js';
import { noteListening } from '../../lifecycle/listening.js';
import { exitedWell } from '../../lifecycle/exit.js';
import { channelTo } from '../worker/channel.js';
import { lookAtTrees } from '../worker/listeners.js';
import { workerEnvironment } from './launch.js';

/**
 * @import { Killed, Note, Outcome, Progress, SlotFailure, SlotNote } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { Launch } from './launch.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/** Of an app. */
export const MAX_ADDRESSES = 20;

/**
 * When each is up for `min_uptime`, late, or has failed once.
 * @param {WorkerPool} pool
 * @param {Slot[]} slots
 */
export async function untilStarted(pool, slots, recording = recordOutcome(pool)) {
  // One that was late may be in time after all, as soon as it gets the CPU.
  do {
    await untilDecided(pool, slots);
    await exitsReported(slots);
  } while (!isDecided(pool, slots));
  await lookAtTrees(slots);
  const failures = await failuresOf(
    slots,
    (slot) => slot.blocked === 'exited' || (slot.isUp && !slot.hasFailed),
  );
  const ended = slots.filter(
    (slot) =>
      slot.blocked === null && exitedWell(failures.get(slot)?.reason) && !slot.launch.hasListened,
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
    const restMs = Math.max(0, ...slots.map(pendingMs));
    if (restMs > 0 && restMs < Infinity) timer = setTimeout(() => pool.changed(), restMs);
    return isDecided(pool, slots);
  });
}

/** @param {WorkerPool} pool @param {Slot[]} slots */
function isDecided(pool, slots) {
  return pool.isEnding || slots.every((slot) => pendingMs(slot) === 0);
}

/**
 * Ms until it counts as started, or Infinity; 0: it does, has failed, or is late. Most programs that cannot run say so in
 * their first second, also after they listen.
 * @param {Slot} slot
 */
function pendingMs({ hasFailed, blocked, desiredWorker, workers }) {
  if (hasFailed || blocked !== null) return 0;
  if (desiredWorker) return desiredWorker.readiness.restMs;
  return workers.at(-1)?.readiness.late ? 0 : Infinity;
}

/** An exit is reported with its last lines, before the command's outcome. @param {Slot[]} slots */
export async function exitsReported(slots) {
  const exited = slots.filter(({ blocked }) => blocked === 'exited');
  await Promise.all(exited.map(({ lastFailure }) => lastFailure));
}

/**
 * A failure is known when its worker has exited, and meanwhile another slot may fail.
 * @param {Slot[]} slots
 * @param {(slot: Slot) => boolean} isDone
 * @returns of those that are not done
 */
export async function failuresOf(slots, isDone) {
  /** @type {Map<Slot, SlotFailure>} */
  const failures = new Map();
  for (;;) {
    const failed = slots.filter((slot) => !failures.has(slot) && !isDone(slot));
    if (failed.length === 0) return failures;
    const all = await Promise.all(failed.map(failureOf));
    for (const [index, slot] of failed.entries()) failures.set(slot, all[index]);
  }
}

/** @param {Slot} slot */
export async function failureOf(slot) {
  const hasFailed = slot.hasFailed || slot.blocked !== null;
  slot.hasFailed = false;
  const failure = hasFailed ? await slot.lastFailure : null;
  if (failure) return failure;
  const worker = slot.workers.at(-1);
  return {
    slot: slot.number,
    reason: worker?.readiness.late ?? { kind: 'late', what: 'serve' },
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
      const all = [...notes, ...notesOnSlots(pool.online, done)];
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
        ...(all.length > 0 && { notes: all }),
      };
    },
  };
}

/** @param {Slot[]} slots */
function numbersOf(slots) {
  return slots.map(({ number }) => number);
}

/** @param {readonly WorkerHandle[]} online all that are @param {Slot[]} slots @returns {SlotNote[]} */
function notesOnSlots(online, slots) {
  const listening = notesOf(online);
  const heldBy = (/** @type {WorkerHandle} */ { listening: { below } }) =>
    below.filter(({ isFirst }) => isFirst).map(({ address }) => address);
  return slots.flatMap(({ number: slot, desiredWorker: worker }) => {
    if (!worker) return [];
    const { launch } = worker;
    const { holders: places, size, below } = worker.listening;
    /** @type {Note[]} */
    const notes = [];
    const note = listening.get(worker);
    if (note) notes.push(note);
    if (places[0]) notes.push({ kind: 'below', places, isAlone: size === 0 });
    const holder = online.find((other) => other.launch === launch && heldBy(other).length > 0);
    if (holder && below.length === 0)
      notes.push({ kind: 'unshared', addresses: heldBy(holder), holder: holder.slot });
    return notes.map((each) => ({ slot, note: each }));
  });
}

/** @param {readonly WorkerHandle[]} workers that are online @returns {Map<WorkerHandle, Note>} what is noteworthy about them */
export function notesOf(workers) {
  /** @type {Map<Launch, string[]>} */
  const usual = new Map();
  for (const { launch, listening } of workers) {
    const known = new Set([...(usual.get(launch) ?? launch.usual), ...listening.addresses]);
    usual.set(launch, [...known].slice(0, MAX_ADDRESSES));
  }
  /** @type {Map<WorkerHandle, Note>} */
  const notes = new Map();
  for (const worker of workers) {
    const note = noteOf(worker, usual.get(worker.launch) ?? []);
    if (note) notes.set(worker, note);
  }
  return notes;
}

/** @param {WorkerHandle} worker @param {readonly string[]} usual */
function noteOf(worker, usual) {
  const { listening, expected, readiness, child } = worker;
  const servesUnseen = listening.mayServeUnseen || (child && channelTo(child).cluster.hasUdp);
  if (listening.addresses.length === 0 && servesUnseen) return null;
  return noteListening({
    listening: listening.addresses,
    mayListen: expected !== 'none' || !['unknown', 'silent', null].includes(readiness.sign),
    port: portOf(worker),
    usual,
  });
}

/** @param {WorkerHandle} worker @returns {number | null} the PORT that the app sets for it */
function portOf({ launch, slot }) {
  if (!launch.spec.env.PORT) return null;
  const port = Number(workerEnvironment(launch, slot, '').PORT);
  return Number.isInteger(port) ? port : null;
}
