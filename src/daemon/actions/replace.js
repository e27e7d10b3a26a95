/** Replaces workers: one by one (reload), or all at once (restart). */
import { NodeclusterError } from '../../errors/error.js';
import { addedMs } from '../../features/reload.js';
import { workerPids } from '../apps/record.js';
import { startApp } from './start.js';
import { canMove, needsNewPrimary, replacePrimary, restartPrimary } from './replace-primary.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Rolling } from '../../protocol/methods.js'
 * @import { App } from '../apps/app.js'
 * @import { Rollout } from '../apps/desired.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Action } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 */

/**
 * @typedef {Rolling & {slots: number[] | null, spec: Spec, resizeTo?: number[]}} Replacement slots
 *   null: all; resizeTo: those that the app has after it succeeds, when the caller scales it
 */

/** Errors after which the outcome of a request is not known yet. */
const OUTCOME_UNKNOWN = [
  'E_PRIMARY_GONE',
  'E_PRIMARY_LOST',
  'E_PRIMARY_SILENT',
  'E_APP_KILLED',
  'E_DAEMON_EXITS',
];

/**
 * If the reload fails, the app keeps its old spec, even if some workers were already replaced.
 * @type {Action<Replacement>}
 */
export async function reloadApp(daemon, app, order, report) {
  const { slots, spec, resizeTo, ...how } = order;
  if (needsStart(app, slots)) return startApp(daemon, app, { slots, spec }, report);
  daemon.features.check(app, 'reload', order);
  if (app.spec.onDemand && spec.onDemand) return renewOnDemand(daemon, app, { spec }, report);
  if (needsNewPrimary(app.spec, spec)) {
    const move = canMove(app, spec) ? moveToNewPrimary : restartApp;
    return move(daemon, app, order, report);
  }
  return rollOut(daemon, app, { spec, resizeTo }, async (generation) => {
    const runs = resizeTo ? app.withOwnSlots(spec) : spec;
    const params = { spec: runs, generation, slots: slots ?? undefined, ...how };
    const outcome = await app.request('reload', params, { report, addedMs: addedMs(order) });
    if (outcome.ok) commitSpec(daemon, app, { spec, resizeTo });
    return outcome;
  });
}

/** A second primary serves with the new spec before the first one stops. @type {Action<Replacement>} */
function moveToNewPrimary(daemon, app, { spec, resizeTo, parallel }, report) {
  return rollOut(daemon, app, { spec, resizeTo }, async (generation) => {
    const onServing = () => commitSpec(daemon, app, { spec, resizeTo });
    const order = { next: { spec, generation, parallel }, onServing };
    const outcome = await replacePrimary(daemon, app, order, report);
    return outcome.ok ? outcome : { ...outcome, done: [], kept: app.desiredSlots };
  });
}

/**
 * The workers run a new spec; what is saved from now on has it too.
 * @param {Pick<Daemon, 'table'>} daemon @param {App} app
 * @param {Pick<Rollout, 'spec' | 'resizeTo'>} rollout that succeeded
 */
export function commitSpec({ table }, app, { spec, resizeTo }) {
  if (resizeTo) table.setSlots(app, resizeTo);
  app.spec = app.withOwnCount(spec);
  app.changes = app.changes.map((change) =>
    change.generation === app.generation ? { ...change, isApplied: true } : change,
  );
}

/**
 * Does not touch running workers, so a new environment takes effect only if the app is down or has
 * given up.
 * @type {Action<Replacement>}
 */
export function resumeApp(daemon, app, { slots, spec }, report) {
  const resume = spec !== app.spec && app.hasGivenUp ? reloadApp : startApp;
  return resume(daemon, app, { slots, spec }, report);
}

/** @type {Action<Replacement>} */
export async function restartApp(daemon, app, { slots, spec, resizeTo, ...rolling }, report) {
  if (needsStart(app, slots)) return startApp(daemon, app, { slots, spec }, report);
  daemon.features.check(app, 'restart', { spec, ...rolling });
  if (app.spec.onDemand && spec.onDemand) {
    // What runs is stopped, and nothing runs before something asks for it.
    await renewOnDemand(daemon, app, { spec }, report);
    const hasProcess = workerPids(app).length > 0;
    return hasProcess ? app.request('stop', { slots: app.slots }, { report }) : { ok: true };
  }
  if (needsNewPrimary(app.spec, spec) || app.spec.onDemand !== spec.onDemand) {
    const { spec: old } = app;
    await daemon.table.change(app, () => {
      app.generation += 1;
      commitSpec(daemon, app, { spec, resizeTo });
    });
    return restartPrimary(daemon, app, old, report);
  }
  if (slots !== null && spec === app.spec) {
    return app.request('restart', { slots }, { report });
  }
  return rollOut(daemon, app, { spec, resizeTo }, async (generation) => {
    const params = { spec, generation, slots: slots ?? app.desiredSlots };
    const outcome = await app.request('restart', params, { report });
    commitSpec(daemon, app, { spec, resizeTo: outcome.ok ? resizeTo : undefined });
    return outcome;
  });
}

/** What runs keeps what it was started with. @type {Action<{spec: Spec}>} */
async function renewOnDemand(daemon, app, { spec }) {
  app.link.refuseUnknown();
  await daemon.table.change(app, () => {
    app.spec = spec;
    app.generation += 1;
  });
  return { ok: true };
}

/** Whether no worker runs that could be replaced. @param {App} app @param {number[] | null} slots */
function needsStart(app, slots) {
  return app.isDown || (slots?.every((slot) => !app.desiredSlots.includes(slot)) ?? false);
}

/**
 * If the connection to the primary is lost, the rollout stays on disk: this daemon or the next one sees how it ended
 * when it finds the primary again.
 * @param {Daemon} daemon @param {App} app @param {Omit<Rollout, 'generation'>} rollout
 * @param {(generation: number) => Promise<PartialOutcome>} run
 */
async function rollOut(daemon, app, rollout, run) {
  const generation = Math.max(app.generation, app.link.snapshot?.generation ?? 0) + 1;
  await daemon.table.change(app, () => {
    app.generation = generation;
    app.rollout = { ...rollout, generation };
  });
  try {
    const outcome = await run(generation);
    app.rollout = null;
    return outcome;
  } catch (thrown) {
    if (!OUTCOME_UNKNOWN.includes(NodeclusterError.from(thrown).code)) app.rollout = null;
    throw thrown;
  } finally {
    // If this is not saved, a recovery does it later.
    await daemon.table.saveOrRetry();
  }
}
