/**
 * The rolling reload. It gives every slot the new launch, and the pool replaces the workers: one
 * first, which must stay up for `min_uptime`, and then the others in waves. The first new worker that
 * fails, or dies within its `min_uptime`, ends it: slots without an online new worker go back to what
 * they ran, and with `rollback` the others do so too. A new worker that dies later is started again, and
 * the next one must prove itself too. A feature may put the first ones on trial before the others
 * follow; if they fail, every slot goes back, and their old workers have never stopped.
 */
import { goneFrom } from '../../lifecycle/listening.js';
import { lookAtTrees } from '../worker/tree-watch.js';
import {
  exitsReported,
  failureOf,
  failuresOf,
  isUp,
  recordOutcome,
  untilDecided,
} from './outcome.js';

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
  /** @type {Set<Slot>} */
  const restarted = new Set();
  const failure =
    (await roll(pool, slots, () => launch, trial)) ?? (await untilProven(pool, slots, restarted));
  const replaced = slots.filter((slot) => slot.launch === launch);
  const rollsBack = failure !== null && onFailure === 'rollback';
  if (rollsBack) delete failure.isOldGone;
  const stuck = rollsBack ? await rollBack(pool, replaced, before) : [];
  pool.maxSurge = launch.spec.maxSurge;

  if (!failure) app.launch = launch;
  if (!failure) app.serve();
  const current = slots.filter((slot) => slot.launch === launch && slot.number !== failure?.slot);
  if (failure) await lookAtTrees(current.flatMap((slot) => pool.workersOf(slot)));
  // Further ones, by the time the reload has failed and been rolled back.
  const crashes = failure ? await failuresOf(pool, current, (slot) => isUp(pool, slot)) : new Map();
  const failed = failure ? [failure, ...stuck] : [];
  const isNew = (/** @type {SlotFailure} */ { slot }) => failed.every((each) => each.slot !== slot);
  const others = slots.filter((slot) => !replaced.includes(slot));
  const reverted = revertedSlots(pool, others, workersBefore);
  const done = current.filter((slot) => !crashes.has(slot));
  return recording.end({
    done,
    failed: [...failed, ...[...crashes.values()].filter(isNew)],
    kept: reverted.kept,
    rolledBack: [...replaced.filter((slot) => slot.launch !== launch), ...reverted.again],
    notes: [...notesOnCrashes(done, restarted), ...notesOnPorts(done, servedBefore, pool)],
  });
}

/** @param {readonly Slot[]} done @param {ReadonlySet<Slot>} restarted @returns {SlotNote[]} */
function notesOnCrashes(done, restarted) {
  return done.flatMap((slot) => {
    const reason = restarted.has(slot) && slot.failureReport?.reason;
    return reason ? [{ slot: slot.number, note: { kind: 'crashed', reason } }] : [];
  });
}

/**
 * @param {readonly Slot[]} done
 * @param {ReadonlyMap<Slot, string[]>} before where their old workers listened
 * @param {WorkerPool} pool
 * @returns {SlotNote[]}
 */
function notesOnPorts(done, before, pool) {
  const now = addressesOf([...pool.workers.values()]);
  return done.flatMap((slot) => {
    const addresses = goneFrom(before.get(slot) ?? [], now);
    return addresses.length > 0 ? [{ slot: slot.number, note: { kind: 'gone', addresses } }] : [];
  });
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
 * A new worker may crash once it has taken over. Its successor proves itself as at any start, or the reload fails.
 * @param {WorkerPool} pool
 * @param {Slot[]} slots that have been replaced
 * @param {Set<Slot>} restarted gets those in which one has crashed
 * @returns {Promise<SlotFailure | null>}
 */
async function untilProven(pool, slots, restarted) {
  const isLost = (/** @type {Slot} */ slot) =>
    restarted.has(slot)
      ? slot.hasFailed || !isUp(pool, slot)
      : isGivenUp(slot) && !isUp(pool, slot);
  for (let areSeen = false; ;) {
    const live = slots.filter(({ blocked }) => blocked !== 'exited');
    const lost = live.find(isLost);
    if (lost) return { ...(await failureOf(pool, lost)), isOldGone: true };
    const crashed = live.filter(({ hasFailed }) => hasFailed);
    if (crashed.length === 0 && areSeen) return null;
    // Meanwhile another one may crash.
    areSeen = crashed.length === 0;
    if (areSeen) await lookAtTrees(live.flatMap((slot) => pool.workersOf(slot)));
    for (const slot of crashed) {
      slot.hasFailed = false;
      restarted.add(slot);
    }
    await untilDecided(pool, [...restarted]);
  }
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

/**
 * A worker that crashed once it was proven is waited for if it is restarted at once.
 * @param {Slot} slot
 */
function isGivenUp({ blocked, hasFailed, isFailing, retryAtMs }) {
  return blocked !== null || (hasFailed && (isFailing || retryAtMs > 0));
}
