/**
 * The rolling reload. It gives every slot the new launch, and the pool replaces the workers: one first, which must stay
 * up for `min_uptime` while the next wave boots, and then the others in waves. The first new worker that fails, or dies
 * within its `min_uptime`, ends it: slots without an online new worker go back to what they ran, and with `rollback`
 * the others do so too. A feature may judge the first ones, those on trial, before the others follow; if they fail,
 * every slot goes back.
 */
import { goneFrom } from '../../lifecycle/listening.js';
import { lookAtTrees } from '../worker/listeners.js';
import { counted, exitsReported, failureOf, failuresOf, untilDecided } from './outcome.js';

/**
 * @import { PrimaryMethods } from '../../protocol/methods.js'
 * @import { SlotFailure, SlotNote } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 * @import { Launch } from './launch.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 *
 * @typedef {PrimaryMethods['reload']['params']} ReloadParams
 * @typedef {(reason: SlotFailure) => void} Fail
 * @typedef {Pick<Slot, 'launch' | 'blocked' | 'workers'> & {addresses: string[]}} Before of one slot; addresses: where it listened
 */

/** @param {App} app @param {ReloadParams} params */
export async function reload(app, params) {
  const beganMs = performance.now();
  const { pool } = app;
  const launch = app.nextLaunch(params.spec, params.generation);
  const slots = pool.slotsOf(params.slots).filter(({ isDesired }) => isDesired);
  await lookAtTrees(slots);
  /** @type {Map<Slot, Before>} */
  const before = new Map(
    slots.map((slot) => [slot, { ...slot, addresses: addressesOf(slot.workers) }]),
  );
  pool.maxSurge = params.parallel ?? launch.spec.maxSurge;
  const onBegun = (/** @type {Fail} */ fail) => pool.emit('reload', launch, params, fail);
  /** @type {Set<Slot>} */
  const restarted = new Set();

  const failure =
    (await roll(pool, slots, () => launch, onBegun)) ?? (await untilProven(pool, slots, restarted));
  const replaced = slots.filter((slot) => slot.launch === launch);
  const rollsBack = failure !== null && params.onFailure === 'rollback';
  if (rollsBack) delete failure.isOldGone;
  const stuck = rollsBack ? await rollBack(pool, replaced, before) : [];
  pool.maxSurge = launch.spec.maxSurge;
  if (failure === null) {
    app.launch = launch;
    app.serve();
  }

  const failures = failure ? [failure, ...stuck] : [];
  const { done, failed } = await untilKnown(slots, launch, failures);
  const old = slots.filter((slot) => slot.launch !== launch);
  // In a slot that was emptied first, the old process has exited.
  const runsAgain = (/** @type {Slot} */ slot) =>
    slot.desiredWorker && !before.get(slot)?.workers.includes(slot.desiredWorker);
  const rolledBack = old.filter((slot) => replaced.includes(slot) || runsAgain(slot));
  const kept = old.filter(
    (slot) => !rolledBack.includes(slot) && (slot.isUp || slot.predecessor !== null),
  );
  const notes = notesOn(done, restarted, before, addressesOf(pool.workers));
  const result = { done, failed, kept, rolledBack, notes };
  app.noteReload(result, launch.generation, Math.round(performance.now() - beganMs));
  return result;
}

/** @param {readonly WorkerHandle[]} workers */
function addressesOf(workers) {
  return workers
    .filter(({ status }) => status === 'online')
    .flatMap(({ listening }) => listening.addresses);
}

/**
 * @param {WorkerPool} pool
 * @param {Slot[]} slots
 * @param {(slot: Slot) => Launch} launchOf what each slot must run
 * @param {(fail: Fail) => void} [onBegun] who may put the launches on trial, and fail them
 * @returns {Promise<SlotFailure | null>} when every slot is replaced, reverted or blocked
 */
async function roll(pool, slots, launchOf, onBegun = () => {}) {
  /** @type {Promise<SlotFailure> | null} */
  let failure = null;
  const giveUp = (/** @type {typeof failure} */ reason, /** @type {Slot | null} */ failed) => {
    failure ??= reason;
    for (const slot of slots) {
      if (slot !== failed && slot.desiredWorker && slot.trials === 0) slot.endReload();
      else slot.revertReload();
    }
    for (const slot of slots) launchOf(slot).trials = 0;
  };
  const onFailed = (/** @type {Slot} */ failed) => giveUp(failed.lastFailure, failed);
  for (const slot of slots) slot.beginReload(launchOf(slot));
  onBegun((reason) => giveUp(Promise.resolve(reason), null));
  pool.on('replacement-failed', onFailed);
  await pool.until(() => slots.every((slot) => isFinished(slot) && slot.launch.trials === 0));
  pool.off('replacement-failed', onFailed);
  for (const slot of slots) slot.endReload();
  await exitsReported(slots);
  return failure;
}

/** @param {Slot} slot */
function isFinished(slot) {
  const [worker, ...others] = slot.workers;
  const isAlone = others.length === 0 && worker !== undefined && worker === slot.desiredWorker;
  // What ran before had to start again and may never come online: a first start has no deadline.
  const isStuck =
    others.length === 0 && worker?.launch === slot.launch && worker.readiness.late !== null;
  const isReverted = slot.previous === null && (isStuck || slot.predecessor !== null);
  return isAlone || isGivenUp(slot) || isReverted;
}

/** A worker that crashed once it was proven is waited for if it is restarted at once. @param {Slot} slot */
function isGivenUp({ blocked, hasFailed, isFailing, retryAtMs }) {
  return blocked !== null || (hasFailed && (isFailing || retryAtMs > 0));
}

/**
 * A new worker may crash once it has taken over. Its successor proves itself as at any start, or the reload fails.
 * @param {WorkerPool} pool
 * @param {Slot[]} slots
 * @param {Set<Slot>} restarted gets those in which one has crashed
 * @returns {Promise<SlotFailure | null>}
 */
async function untilProven(pool, slots, restarted) {
  const isLost = (/** @type {Slot} */ slot) =>
    restarted.has(slot) ? slot.hasFailed || !slot.isUp : isGivenUp(slot) && !slot.isUp;
  for (let areSeen = false; ;) {
    const live = counted(slots).filter(({ blocked }) => blocked !== 'exited');
    const lost = live.find(isLost);
    if (lost) return { ...(await failureOf(lost)), isOldGone: true };
    const crashed = live.filter(({ hasFailed }) => hasFailed);
    if (crashed.length === 0 && areSeen) return null;
    // Meanwhile another one may crash.
    areSeen = crashed.length === 0;
    if (areSeen) await lookAtTrees(live);
    for (const slot of crashed) {
      slot.hasFailed = false;
      restarted.add(slot);
    }
    await untilDecided(pool, [...restarted]);
  }
}

/**
 * Where no worker ran before, the new one stays.
 * @param {WorkerPool} pool
 * @param {Slot[]} replaced
 * @param {Map<Slot, Before>} before
 * @returns {Promise<SlotFailure[]>} of one that stays too, and why
 */
async function rollBack(pool, replaced, before) {
  const launchOf = (/** @type {Slot} */ slot) => before.get(slot)?.launch ?? slot.launch;
  const slots = replaced.filter((slot) => before.get(slot)?.blocked === null);
  if (slots.length > 0) pool.emit('progress', { kind: 'rolling back' });
  for (const slot of slots) launchOf(slot).isProven = true;
  const failure = await roll(pool, slots, launchOf);
  return failure ? [{ ...failure, stays: 'unreverted' }] : [];
}

/**
 * By the time that a reload has failed, further new workers may have crashed.
 * @param {Slot[]} slots
 * @param {Launch} launch the new one
 * @param {SlotFailure[]} failed none: it has not failed
 */
async function untilKnown(slots, launch, failed) {
  const current = counted(slots).filter((slot) => slot.launch === launch);
  const [first] = failed;
  if (!first) return { done: current, failed };
  const others = current.filter(({ number }) => number !== first.slot);
  await lookAtTrees(others);
  const crashes = await failuresOf(others, (slot) => slot.isUp);
  const more = [...crashes.values()].filter((crash) =>
    failed.every(({ slot }) => slot !== crash.slot),
  );
  return { done: others.filter((slot) => !crashes.has(slot)), failed: [...failed, ...more] };
}

/**
 * @param {readonly Slot[]} slots that run the new launch
 * @param {ReadonlySet<Slot>} restarted
 * @param {Map<Slot, Before>} before
 * @param {readonly string[]} now where the app listens
 */
function notesOn(slots, restarted, before, now) {
  return slots.flatMap((each) => {
    const { number: slot, failureReport } = each;
    const reason = restarted.has(each) && failureReport?.reason;
    const addresses = goneFrom(before.get(each)?.addresses ?? [], now);
    /** @type {SlotNote[]} */
    const notes = [];
    if (reason) notes.push({ slot, note: { kind: 'crashed', reason } });
    if (addresses.length > 0) notes.push({ slot, note: { kind: 'gone', addresses } });
    return notes;
  });
}
