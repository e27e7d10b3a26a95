/**
 * The rolling reload: gives every slot the new launch and lets the pool bring it about. The first
 * replacement that fails ends it: the slots that are not replaced yet go back to what they ran,
 * and with `rollback` those that are replaced already are replaced once more.
 */
import { exitsTold, watchPool } from './outcome.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { EndedReload, Outcome, SlotFailure } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 * @import { Launch } from './generation.js'
 * @import { Slot } from './slot.js'
 * @import { WorkerPool } from './worker-pool.js'
 */

/**
 * @param {App} app
 * @param {object} order
 * @param {number[]} [order.slots] only these
 * @param {Spec} [order.spec] another spec than the app has
 * @param {number} [order.generation]
 * @param {number} [order.parallel] workers to replace at a time
 * @param {Launch} [order.launch] in place of the next one of the app
 * @param {'keep' | 'rollback'} [order.onFailure] what becomes of the slots that are replaced
 *   already when a later one fails
 * @returns {Promise<Outcome>}
 */
export async function reload(app, order) {
  const { slots: numbers, spec, generation, parallel = 1, onFailure = 'keep' } = order;
  const { launch = app.nextLaunch(spec, generation) } = order;
  const { pool } = app;
  const slots = [...pool.slots.values()].filter(
    (slot) => slot.wanted && (!numbers || numbers.includes(slot.number)),
  );
  const watch = watchPool(pool);
  pool.maxSurge = Math.max(launch.spec.maxSurge, parallel);
  const before = new Map(
    slots.map((slot) => [slot, { launch: slot.launch, blocked: slot.blocked }]),
  );
  const failure = await roll(pool, slots, () => launch);
  const replaced = slots.filter((slot) => slot.launch === launch);
  const isRolledBack = failure !== null && onFailure === 'rollback';
  const left = isRolledBack ? await rollBack(pool, replaced, before) : [];
  pool.maxSurge = launch.spec.maxSurge;

  if (!failure) app.launch = launch;
  const outcome = watch.outcome({
    done: slots.filter((slot) => slot.launch === launch),
    failed: failure ? [failure, ...left] : [],
    kept: slots.filter((slot) => !replaced.includes(slot)),
    rolledBack: replaced.filter((slot) => slot.launch !== launch),
  });
  app.noteReload(lastReloadOf(outcome, launch));
  return outcome;
}

/**
 * A reload to what the app runs already: a `current` link that was switched since is not followed.
 * @param {App} app
 * @param {{slots: number[], generation: number}} order
 */
export function replaceWorkers(app, { slots, generation }) {
  return reload(app, { slots, launch: { ...app.launch, generation } });
}

/**
 * @param {WorkerPool} pool
 * @param {Slot[]} slots that have been replaced
 * @param {Map<Slot, Pick<Slot, 'launch' | 'blocked'>>} before
 * @returns {Promise<SlotFailure[]>} those that stay on the new launch, and why
 */
async function rollBack(pool, slots, before) {
  const launchOf = (/** @type {Slot} */ slot) => before.get(slot)?.launch ?? slot.launch;
  const hadWorker = (/** @type {Slot} */ slot) => before.get(slot)?.blocked === null;
  const stuck = slots
    .filter((slot) => !hadWorker(slot))
    .map(({ number: slot }) => ({ slot, reason: NOTHING_BEFORE, lastLines: [] }));
  const able = slots.filter(hadWorker);
  if (able.length > 0) pool.emit('progress', { kind: 'rolling back' });
  const failure = await roll(pool, able, launchOf);
  if (failure === null) return stuck;
  const reason = `could not be rolled back: ${failure.reason}`;
  return [...stuck, { ...failure, reason }];
}

const NOTHING_BEFORE = 'could not be rolled back: no worker ran here before the reload';

/**
 * @param {WorkerPool} pool
 * @param {Slot[]} slots
 * @param {(slot: Slot) => Launch} launchOf what each shall run
 * @returns {Promise<SlotFailure | null>} when every slot has come to rest
 */
async function roll(pool, slots, launchOf) {
  /** @type {Promise<SlotFailure> | null} */
  let failure = null;
  /** @type {Set<Slot>} */
  const replaced = new Set();
  const onFailed = (/** @type {Slot} */ slot) => {
    failure ??= slot.lastFailure;
    for (const each of slots) each.goBack();
  };
  const isReplaced = (/** @type {Slot} */ slot) =>
    pool.isOnTarget(slot) && pool.workersOf(slot.number).length === 1;
  const isAtRest = (/** @type {Slot} */ slot) => {
    if (slot.previous !== null && isReplaced(slot)) {
      slot.endReload();
      replaced.add(slot);
    }
    return replaced.has(slot) || slot.blocked !== null || slot.hasFailed || isBack(slot);
  };
  const isBack = (/** @type {Slot} */ slot) =>
    slot.previous === null && (isReplaced(slot) || isStuck(pool, slot));
  for (const slot of slots) slot.beginReload(launchOf(slot));
  pool.on('replacement-failed', onFailed);
  await pool.until(() => slots.filter((slot) => !isAtRest(slot)).length === 0 || null);
  pool.off('replacement-failed', onFailed);
  await exitsTold(slots);
  return failure;
}

/**
 * @param {WorkerPool} pool
 * @param {Slot} slot that has gone back
 * @returns {boolean} what ran before had to start anew, and may never come online: a first start has
 *   no deadline
 */
function isStuck(pool, slot) {
  const [worker, ...others] = pool.workersOf(slot.number);
  return others.length === 0 && worker?.launch === slot.launch && worker.readiness.late !== null;
}

/**
 * @param {Outcome} outcome
 * @param {Launch} launch
 * @returns {EndedReload}
 */
function lastReloadOf({ ok, durationMs, failed, done, kept, rolledBack }, { generation }) {
  const reason = failed[0]?.reason ?? null;
  return { ok, at: Date.now(), durationMs, generation, reason, done, kept, rolledBack };
}
