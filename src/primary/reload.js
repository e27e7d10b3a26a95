/**
 * The rolling reload: gives every slot the new launch and lets the pool bring it about. The first
 * replacement that fails ends it: the slots that are not replaced yet go back to what they ran.
 */
import { watchPool } from './outcome.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./slot.js').Slot} Slot
 * @typedef {import('./launch.js').Launch} Launch
 */

/**
 * @param {App} app
 * @param {object} order
 * @param {number[]} [order.slots] only these
 * @param {import('../config/spec.js').Spec} [order.spec] another spec than the app has
 * @param {number} [order.generation]
 * @param {number} [order.parallel] workers to replace at a time
 * @param {Launch} [order.launch] in place of the next one of the app
 * @returns {Promise<import('./outcome.js').Outcome>}
 */
export async function reload(app, order) {
  const { slots: numbers, spec, generation, parallel = 1 } = order;
  const { launch = app.nextLaunch(spec, generation) } = order;
  const { pool } = app;
  const slots = [...pool.slots.values()].filter(
    (slot) => slot.wanted && (!numbers || numbers.includes(slot.number)),
  );
  const watch = watchPool(pool);
  pool.maxSurge = Math.max(launch.spec.maxSurge, parallel);
  for (const slot of slots) slot.beginReload(launch);
  const failure = await rolled(pool, slots);
  pool.maxSurge = launch.spec.maxSurge;

  const done = slots.filter((slot) => slot.launch === launch);
  if (!failure) app.launch = launch;
  const outcome = watch.outcome({
    done,
    failed: failure ? [failure] : [],
    kept: slots.filter((slot) => slot.launch !== launch),
  });
  app.lastReload = {
    ok: outcome.ok,
    at: Date.now(),
    durationMs: outcome.durationMs,
    generation: launch.generation,
    reason: failure?.reason ?? null,
  };
  return outcome;
}

/**
 * A reload to what the app runs already: a `current` link that was switched since is not followed.
 * @param {App} app
 * @param {{slots: number[], generation: number}} order
 */
export function renew(app, { slots, generation }) {
  return reload(app, { slots, launch: { ...app.launch, generation } });
}

/**
 * @param {import('./worker-pool.js').WorkerPool} pool
 * @param {Slot[]} slots
 * @returns {Promise<import('./slot.js').Failure | null>} when every slot has come to rest
 */
async function rolled(pool, slots) {
  /** @type {Promise<import('./slot.js').Failure> | null} */
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
  const isBack = (/** @type {Slot} */ slot) => slot.previous === null && isReplaced(slot);
  pool.on('replacement-failed', onFailed);
  await pool.until(() => slots.filter((slot) => !isAtRest(slot)).length === 0 || null);
  pool.off('replacement-failed', onFailed);
  return failure;
}
