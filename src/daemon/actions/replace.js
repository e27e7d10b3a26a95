/** Other workers for the present ones: one by one (reload), or all at once (restart). */
import { NodeclusterError } from '../../errors/error.js';
import { bringUp, startApp } from './start.js';
import { endPrimary } from './stop.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Report, World } from '../control/world.js'
 */

/**
 * @typedef {object} Replacement
 * @property {number[] | null} slots null: all
 * @property {Spec} spec the app's own, or another
 * @property {number} [parallel] workers at a time
 * @property {'keep' | 'rollback'} [onFailure] what becomes of those that were replaced already
 */

/** Keys of a spec that a primary cannot change while it runs. */
const FIXED = /** @type {const} */ (['execMode', 'scheduling', 'interpreter']);

/**
 * When it fails, the app keeps its spec, also when some workers were replaced already.
 * @param {World} world
 * @param {App} app
 * @param {Replacement} replacement
 * @param {Report} report
 * @returns {Promise<PartialOutcome>}
 */
export async function reloadApp(world, app, { slots, spec, ...how }, report) {
  if (needsStart(app, slots)) return startWith(world, app, { slots, spec }, report);
  return attempt(world, app, spec, async (generation) => {
    const params = { spec, generation, slots: slots ?? undefined, ...how };
    const outcome = await app.link.request('reload', params, { report });
    if (outcome.ok) app.spec = app.withOwnCount(spec);
    return outcome;
  });
}

/**
 * Replaces single workers by ones of the same program: no link is followed anew.
 * @param {World} world
 * @param {App} app
 * @param {{slot: number, pid: number}[]} workers those that are gone meanwhile are left out
 * @param {Report} report
 * @returns {Promise<PartialOutcome>}
 */
export async function renewWorkers(world, app, workers, report) {
  const present = app.link.snapshot?.slots ?? [];
  const isThere = (/** @type {{slot: number, pid: number}} */ { slot, pid }) =>
    present.some((one) => one.slot === slot && one.pid === pid);
  const slots = workers.filter(isThere).map(({ slot }) => slot);
  if (slots.length === 0) return { ok: true };
  return attempt(world, app, app.spec, (generation) =>
    app.link.request('replace-workers', { generation, slots }, { report }),
  );
}

/**
 * @param {World} world
 * @param {App} app
 * @param {Replacement} replacement
 * @param {Report} report
 * @returns {Promise<PartialOutcome>}
 */
export async function restartApp(world, app, { slots, spec }, report) {
  if (needsStart(app, slots)) return startWith(world, app, { slots, spec }, report);
  if (needsPrimary(app.spec, spec)) {
    const { spec: old } = app;
    await world.table.change(app, () => renew(app, spec));
    return restartPrimary(world, app, old, report);
  }
  if (slots !== null && spec === app.spec) {
    return app.link.request('restart', { slots }, { report });
  }
  return attempt(world, app, spec, async (generation) => {
    const params = { spec, generation, slots: slots ?? app.wantedSlots };
    const outcome = await app.link.request('restart', params, { report });
    app.spec = app.withOwnCount(spec);
    return outcome;
  });
}

/** @typedef {Pick<Spec, typeof FIXED[number]>} Fixed */

/**
 * @param {Fixed} old
 * @param {Fixed} spec
 * @returns {boolean} whether only another primary can do it
 */
export function needsPrimary(old, spec) {
  return FIXED.some((key) => spec[key] !== old[key]);
}

/**
 * @param {World} world
 * @param {App} app what is wanted is written already
 * @param {Fixed} old what the present primary runs
 * @param {Report} report
 */
export async function restartPrimary(world, app, old, report) {
  // Programs in fork mode bind their ports themselves.
  const hasSuccessor = [old, app.spec].every(({ execMode }) => execMode === 'cluster');
  const ended = await endPrimary(app, report, { hasSuccessor });
  const started = await bringUp(world, app, app.wantedSlots, report);
  const durationMs = (ended?.durationMs ?? 0) + (started.durationMs ?? 0);
  return { ...started, longLivedCut: ended?.longLivedCut, durationMs };
}

/**
 * Nothing runs that could be replaced.
 * @param {App} app
 * @param {number[] | null} slots
 */
function needsStart(app, slots) {
  return app.isDown || slots?.every((slot) => !app.wantedSlots.includes(slot));
}

/**
 * @param {World} world
 * @param {App} app
 * @param {Replacement} replacement
 * @param {Report} report
 */
function startWith(world, app, { slots, spec }, report) {
  return startApp(world, app, slots, report, () => {
    if (app.isDown) renew(app, spec);
  });
}

/**
 * @param {App} app
 * @param {Spec} spec
 */
function renew(app, spec) {
  app.spec = app.withOwnCount(spec);
  app.generation += 1;
}

/** The connection was lost before the outcome came. */
const UNSEEN = ['E_PRIMARY_GONE', 'E_PRIMARY_SILENT', 'E_APP_KILLED'];

/**
 * When the connection is lost meanwhile, the attempt stays: how it ended will be seen when the
 * primary is found again, by this daemon or the next.
 * @param {World} world
 * @param {App} app
 * @param {Spec} spec
 * @param {(generation: number) => Promise<PartialOutcome>} command
 * @returns {Promise<PartialOutcome>}
 */
async function attempt(world, app, spec, command) {
  const generation = Math.max(app.generation, app.link.snapshot?.generation ?? 0) + 1;
  await world.table.change(app, () => {
    app.generation = generation;
    app.attempt = { spec, generation };
  });
  try {
    const outcome = await command(generation);
    app.attempt = null;
    return outcome;
  } catch (thrown) {
    if (!UNSEEN.includes(NodeclusterError.from(thrown).code)) app.attempt = null;
    throw thrown;
  } finally {
    // What is on the disk tells enough: see settleAttempt() in reconcile.js.
    await world.table.saveIfPossible();
  }
}
