/** Waits until a command has taken effect, and says what became of each of its slots. */
import { joinKilled } from '../../lifecycle/killed.js';
import { noteListening } from '../../lifecycle/listening.js';
import { channelTo } from '../worker/channel.js';
import { lookAtTrees } from '../worker/listeners.js';
import { workerEnvironment } from './launch.js';

/**
 * @import { Killed, Note, Outcome, Progress, SlotFailure, SlotNote } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 *
 * @typedef {{done: Slot[], failed?: SlotFailure[], kept?: Slot[], rolledBack?: Slot[], notes?: SlotNote[]}} Result of a command
 */

/**
 * When each is up for `min_uptime`, late, or has failed once.
 * @param {WorkerPool} pool
 * @param {Slot[]} slots
 * @returns {Promise<Result>}
 */
export async function untilStarted(pool, slots) {
  // One that was late may be in time after all, as soon as it gets the CPU.
  do {
    await untilDecided(pool, slots);
    await exitsReported(slots);
  } while (restMsOf(pool, slots) > 0);
  await lookAtTrees(slots);
  const failures = await failuresOf(
    slots,
    (slot) => slot.isSpare || slot.blocked === 'exited' || (slot.isUp && !slot.hasFailed),
  );
  return {
    done: slots.filter((slot) => !failures.has(slot)),
    failed: slots.flatMap((slot) => failures.get(slot) ?? []),
  };
}

/** @param {WorkerPool} pool @param {Slot[]} slots @returns {Promise<void>} when each is up for `min_uptime`, late, or has failed */
export async function untilDecided(pool, slots) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  await pool.until(() => {
    clearTimeout(timer);
    const restMs = restMsOf(pool, slots);
    if (restMs > 0 && restMs < Infinity) timer = setTimeout(() => pool.changed(), restMs);
    return restMs === 0;
  });
}

/** @param {WorkerPool} pool @param {Slot[]} slots */
function restMsOf(pool, slots) {
  return pool.isEnding ? 0 : Math.max(0, ...counted(slots).map(pendingMs));
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

/**
 * Carries out a command, relays its steps, and records what can be seen only meanwhile.
 * @param {WorkerPool} pool
 * @param {Pick<RequestContext<{progress: Progress}>, 'notify'>} ctx
 * @param {() => Promise<Result>} command
 * @returns {Promise<Outcome>}
 */
export async function recordOutcome(pool, ctx, command) {
  const startedMs = performance.now();
  let minReady = pool.readyCount;
  let longLivedCut = 0;
  const onChange = () => (minReady = Math.min(minReady, pool.readyCount));
  /** @type {Killed | undefined} */
  let killed;
  const onProgress = (/** @type {Progress} */ step) => {
    ctx.notify('progress', step);
    longLivedCut += step.cut ?? 0;
    killed = joinKilled(killed, step.killed);
  };
  pool.on('change', onChange).on('progress', onProgress);
  try {
    const result = await command();
    const { done, failed = [], notes = [] } = result;
    const all = [...notes, ...notesOnSlots(done)];
    return {
      ok: failed.length === 0,
      ...numbersOf(pool, result),
      failed,
      longLivedCut,
      killed,
      minReady,
      durationMs: Math.round(performance.now() - startedMs),
      ...(all.length > 0 && { notes: all }),
    };
  } finally {
    pool.off('change', onChange).off('progress', onProgress);
  }
}

/** @param {WorkerPool} pool @param {Result} result of a command */
export function numbersOf(pool, { done, failed = [], kept = [], rolledBack = [] }) {
  const failures = failed.flatMap(({ slot }) => slot ?? []);
  const own = counted([...done, ...kept, ...rolledBack, ...pool.slotsOf(failures)]);
  const numbers = (/** @type {Slot[]} */ slots) =>
    slots.filter((slot) => own.includes(slot)).map(({ number }) => number);
  return { done: numbers(done), kept: numbers(kept), rolledBack: numbers(rolledBack) };
}

/** A spare is no worker of the app, unless a command is for it alone. @param {Slot[]} slots */
export function counted(slots) {
  const workers = slots.filter(({ isSpare }) => !isSpare);
  return workers.length > 0 ? workers : slots;
}

/** @param {Slot[]} slots @returns {SlotNote[]} */
function notesOnSlots(slots) {
  return slots.flatMap(({ number: slot, desiredWorker: worker }) => {
    if (!worker) return [];
    const { holders: places, size } = worker.listening;
    /** @type {Note[]} */
    const notes = [];
    const note = noteOf(worker);
    if (note) notes.push(note);
    if (places[0]) notes.push({ kind: 'below', places, isAlone: size === 0 });
    return notes.map((each) => ({ slot, note: each }));
  });
}

/** What is noteworthy about where it listens. @param {WorkerHandle} worker that is online */
function noteOf(worker) {
  const { listening, expected, readiness, child } = worker;
  const mayServe = listening.mayServeUnseen || (child && channelTo(child).cluster.hasUdp);
  if (listening.addresses.length === 0 && mayServe) return null;
  return noteListening({
    listening: listening.addresses,
    mayListen: expected !== 'none' || !['unknown', 'silent', null].includes(readiness.sign),
    port: portOf(worker),
  });
}

/** @param {WorkerHandle} worker @returns {number | null} the PORT that the app sets for it */
function portOf({ launch, slot }) {
  if (!launch.spec.env.PORT) return null;
  const port = Number(workerEnvironment(launch, slot, '').PORT);
  return Number.isInteger(port) ? port : null;
}
