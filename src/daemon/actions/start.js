/** Starts the workers of a new app, of a stopped app, or of an app whose primary has exited. */
import { NodeclusterError } from '../../errors/error.js';
import { isDone } from '../apps/dependencies.js';
import { allowedSlots } from '../apps/slots.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Action, ReportProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 * @import { PrimaryLink } from '../primaries/link.js'
 */

/** With another spec also as many workers as that says. A running primary keeps its own. @type {Action<{spec: Spec, slots: number[] | null}>} */
export async function startApp(daemon, app, { spec, slots }, report) {
  refuseWhenEnding(daemon);
  await daemon.table.change(app, () => {
    if (app.isDown && spec !== app.spec) {
      app.generation += 1;
      daemon.table.setSlots(app, allowedSlots(spec, app));
      app.spec = spec;
    }
    app.desireSlots(slots);
  });
  return startSlots(daemon, app, slots ?? app.slots, report);
}

/** Of one that runs: resolves when every worker that should run is online, or one has failed. @type {Action<{}>} */
export async function confirmApp({ table }, app, _order, report) {
  const slots = isDone(table.all(), app) ? [] : app.toFill(app.desiredSlots);
  return slots.length > 0 ? app.request('start', { slots }, { report }) : { ok: true };
}

/**
 * And the primary if it is not running; of an app on demand only that: nothing runs before something asks for it.
 * @param {Daemon} daemon
 * @param {App} app
 * @param {number[]} slots
 * @param {ReportProgress} report
 * @returns {Promise<PartialOutcome>}
 */
export async function startSlots(daemon, app, slots, report) {
  if (app.isDown && isMoving(app)) await takeSecond(daemon, app);
  if (app.link.state === 'none' && app.rollout !== null) {
    // It has ended with its primary. The workers that start now get a new generation, so that a later daemon can tell
    // the two apart even if this change could not be saved.
    app.rollout = null;
    app.generation += 1;
    await daemon.table.saveOrRetry();
  }
  const { spec, generation, listeningRecord } = app;
  const filled = app.toFill(slots);
  const stoppedSlots = filled.length > 0 ? app.stoppedSlots : app.slots;
  refuseWhenEnding(daemon);
  const order = { spec, generation, slots: app.slots, stoppedSlots, listeningRecord };
  await app.link.launch({ ...order, isSecond: false });
  refuseWhenEnding(daemon);
  return filled.length > 0 ? app.request('start', { slots: filled }, { report }) : { ok: true };
}

/** @param {App} app @returns {boolean} whether a second primary has it, perhaps one that an earlier daemon has started */
export function isMoving({ second }) {
  return (second?.state ?? 'none') !== 'none';
}

/**
 * The first primary of an app has ended, and the second one is the only one now.
 * @param {Daemon} daemon @param {App} app
 */
export async function takeSecond(daemon, app) {
  app.takeSecond();
  await daemon.table.saveOrRetry();
  await letServe(daemon, app, app.link);
}

/**
 * Whether its workers are online or not. If it does not answer, or ends now, another one starts.
 * @param {Daemon} daemon @param {App} app @param {PrimaryLink} link to the primary
 */
export async function letServe({ table: { primaries } }, app, link) {
  const previous = primaries.leftBy(app.name);
  const serving = app.request('serve', { previous }, { link });
  await serving.then(
    () => primaries.settle(app.name),
    () => {},
  );
}

/** `kill` may arrive between the steps of a command, as while a primary is launched. @param {Daemon} daemon */
export function refuseWhenEnding({ isEnding }) {
  if (isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
}
