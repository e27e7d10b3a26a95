/**
 * The rolling reload. It gives every slot the new launch, and the pool replaces the workers: one
 * first, which must stay up for `min_uptime`, and then the others in waves. The first new worker that
 * fails, or dies within its `min_uptime`, ends it: slots without an online new worker go back to what
 * they ran, and with `rollback` the others do so too. A feature may put the first ones on trial before
 * the others follow; if they fail, every slot goes back, and their old workers have never stopped.
 */
import { goneFrom } from '../../lifecycle/listening.js';
import { lookAtTrees } from '../worker/tree-watch.js';
import { exitsReported, failuresOf, isUp, recordOutcome } from './outcome.js';

/**
 * @import { PrimaryMethods } from '../../protocol/methods.js'
 * @import { Outcome, SlotFailure, SlotNote } from '../../protocol/shapes.js'
 * @import { Trial } from '../features.js'
 * @import { App } from './app.js'
 * @import { Launch } from './launch.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

const NOTHING_BEFORE = 'could not be rolled back: no worker ran here before the reload';

/**
 * @typedef {PrimaryMethods['reload']['params']} ReloadParams
 * @typedef {Map<Slot, Pick<Slot, 'launch' | 'blocked'>>} Before
 */

/** @param {App} app @param {ReloadParams} params @returns {Promise<Outcome>} */
export async function reload(app, params) {
  const launch = app.nextLaunch(params.spec, params.generation);
  const outcome = await rollTo(app, launch, params);
  app.noteReload(outcome, launch.generation, params.before);
  return outcome;
}

/** @param {App} app @param {Launch} launch @param {ReloadParams} params */
async function rollTo(app, launch, params) {
  const { slots: numbers, parallel, onFailure = 'keep' } = params;
  const { pool } = app;
  const slots = pool.slotsOf(numbers).filter(({ isDesired }) => isDesired);
  const recording = recordOutcome(pool);
  await lookAtTrees(slots.flatMap((slot) => pool.workersOf(slot)));
  pool.maxSurge = parallel ?? launch.spec.maxSurge;
  const workersBefore = new Set(pool.workers.values());
  const servedBefore = new Map(slots.map((slot) => [slot, addressesOf(pool.workersOf(slot))]));
  /** @type {Before} */
  const before = new Map(
    slots.map((slot) => [slot, { launch: slot.launch, blocked: slot.blocked }]),
  );
  const trial = app.features.trial(launch, params);
  const failure = (await roll(pool, slots, () => launch, trial)) ?? (await crashAfter(pool, slots));
  const replaced = slots.filter((slot) => slot.launch === launch);
  const rollsBack = failure !== null && onFailure === 'rollback';
  const stuck = rollsBack ? await rollBack(pool, replaced, before) : [];
  pool.maxSurge = launch.spec.maxSurge;

  if (!failure) app.launch = launch;
  if (!failure) app.serve();
  const current = slots.filter((slot) => slot.launch === launch && slot.number !== failure?.slot);
  const isDone = (/** @type {Slot} */ slot) => isUp(pool, slot);
  // Further ones, by the time the reload has failed and been rolled back.
  const crashes = failure ? await failuresOf(pool, current, isDone) : new Map();
  const failed = failure ? [failure, ...stuck] : [];
  const isReported = (/** @type {Slot} */ { number }) => failed.some(({ slot }) => slot === number);
  await lookAtTrees(current.flatMap((slot) => pool.workersOf(slot)));
  const others = slots.filter((slot) => !replaced.includes(slot));
  const reverted = revertedSlots(pool, others, workersBefore);
  const done = current.filter((slot) => !crashes.has(slot));
  return recording.end({
    done,
    failed: [
      ...failed,
      ...current.flatMap((slot) => (isReported(slot) ? [] : (crashes.get(slot) ?? []))),
    ],
    kept: reverted.kept,
    rolledBack: [...replaced.filter((slot) => slot.launch !== launch), ...reverted.again],
    notes: done.flatMap((slot) => notesOn(slot, servedBefore.get(slot) ?? [], pool)),
  });
}

/**
 * @param {Slot} slot that has been replaced
 * @param {readonly string[]} before where its old worker listened
 * @param {WorkerPool} pool
 * @returns {SlotNote[]}
 */
function notesOn({ number: slot, hasFailed, failureReport }, before, pool) {
  /** @type {SlotNote[]} */
  const notes = [];
  const reason = failureReport?.reason;
  if (hasFailed && reason) notes.push({ slot, note: { kind: 'crashed', reason } });
  const addresses = goneFrom(before, addressesOf([...pool.workers.values()]));
  if (addresses.length > 0) notes.push({ slot, note: { kind: 'gone', addresses } });
  return notes;
}

/** @param {readonly WorkerHandle[]} workers */
function addressesOf(workers) {
  return workers
    .filter(({ status }) => status === 'online')
    .flatMap(({ listening }) => listening.addresses);
}

/**
 * In one that was emptied first, the old process has exited.
 * @param {WorkerPool} pool
 * @param {Slot[]} slots that went back to what they ran before
 * @param {ReadonlySet<WorkerHandle>} workersBefore
 */
function revertedSlots(pool, slots, workersBefore) {
  const again = slots.filter((slot) => {
    const worker = pool.desiredWorkerOf(slot);
    return worker !== undefined && !workersBefore.has(worker);
  });
  const isKept = (/** @type {Slot} */ slot) =>
    isUp(pool, slot) || pool.predecessors.has(slot.number);
  return { again, kept: slots.filter((slot) => isKept(slot) && !again.includes(slot)) };
}

/**
 * A worker that was replaced early in a long reload may have crashed since.
 * @param {WorkerPool} pool
 * @param {Slot[]} slots that have been replaced
 */
async function crashAfter(pool, slots) {
  const crashed = slots.find(
    (slot) => slot.hasFailed && slot.blocked !== 'exited' && !pool.hasDesiredWorker(slot),
  );
  return crashed?.lastFailure ?? null;
}

/**
 * @param {WorkerPool} pool
 * @param {Slot[]} slots that have been replaced
 * @param {Before} before
 * @returns {Promise<SlotFailure[]>} the slots that stay on the new launch, and why
 */
async function rollBack(pool, slots, before) {
  const launchOf = (/** @type {Slot} */ slot) => before.get(slot)?.launch ?? slot.launch;
  const hadWorker = (/** @type {Slot} */ slot) => before.get(slot)?.blocked === null;
  const stuck = slots
    .filter((slot) => !hadWorker(slot))
    .map(({ number }) => ({ slot: number, reason: NOTHING_BEFORE, lastLines: [] }));
  const revertible = slots.filter(hadWorker);
  if (revertible.length > 0) pool.emit('progress', { kind: 'rolling back' });
  for (const slot of revertible) launchOf(slot).isProven = true;
  const failure = await roll(pool, revertible, launchOf);
  if (failure === null) return stuck;
  const reason = `could not be rolled back: ${failure.reason}`;
  return [...stuck, { ...failure, reason }];
}

/**
 * @param {WorkerPool} pool
 * @param {Slot[]} slots
 * @param {(slot: Slot) => Launch} launchOf what each slot must run
 * @param {Trial | null} [trial] of the first workers
 * @returns {Promise<SlotFailure | null>} when every slot is replaced, reverted or blocked
 */
async function roll(pool, slots, launchOf, trial = null) {
  /** @type {Promise<SlotFailure> | null} */
  let failure = null;
  const giveUp = (/** @type {typeof failure} */ reason, /** @type {Slot | null} */ failed) => {
    failure ??= reason;
    for (const slot of slots) {
      const isKept = slot !== failed && pool.hasDesiredWorker(slot) && !slot.isOnTrial;
      if (isKept) slot.endReload();
      else slot.revertReload();
    }
    trial?.end();
  };
  const onFailed = (/** @type {Slot} */ failed) => giveUp(failed.lastFailure, failed);
  const isAlone = (/** @type {Slot} */ slot) =>
    pool.hasDesiredWorker(slot) && pool.workersOf(slot).length === 1;
  const isReverted = (/** @type {Slot} */ slot) =>
    slot.previous === null && (isStuck(pool, slot) || pool.predecessors.has(slot.number));
  // A worker that crashed once it was proven is waited for if it is restarted at once.
  const isGivenUp = (/** @type {Slot} */ slot) =>
    slot.blocked !== null || (slot.hasFailed && (slot.isFailing || slot.retryAtMs > 0));
  const isFinished = (/** @type {Slot} */ slot) =>
    isAlone(slot) || isGivenUp(slot) || isReverted(slot);
  for (const slot of slots) slot.beginReload(launchOf(slot));
  trial?.begin((reason) => giveUp(Promise.resolve(reason), null));
  pool.on('replacement-failed', onFailed);
  await pool.until(() => !trial?.isUndecided && slots.every(isFinished));
  pool.off('replacement-failed', onFailed);
  for (const slot of slots) slot.endReload();
  await exitsReported(slots);
  return failure;
}

/**
 * @param {WorkerPool} pool
 * @param {Slot} slot that was reverted
 * @returns {boolean} whether what ran before had to start again and may never come online: a first
 *   start has no deadline
 */
function isStuck(pool, slot) {
  const [worker, ...others] = pool.workersOf(slot);
  return others.length === 0 && worker?.launch === slot.launch && worker.readiness.late !== null;
}
