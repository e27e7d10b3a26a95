/** Starts workers where there are none: of a new app, of a stopped one, after a primary ended. */
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Action, ReportProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 */

/**
 * `change` makes what else changes of the app, so that all of it is saved at once.
 * @type {Action<{slots: number[] | null, change?: () => void}>}
 */
export async function startApp(daemon, app, { slots, change }, report) {
  await daemon.table.change(app, () => {
    change?.();
    app.desireSlots(slots);
  });
  return startSlots(daemon, app, slots ?? app.slots, report);
}

/**
 * @param {Daemon} daemon
 * @param {App} app its primary is started too, if there is none
 * @param {number[]} slots
 * @param {ReportProgress} report
 * @returns {Promise<PartialOutcome>}
 */
export async function startSlots(daemon, app, slots, report) {
  if (app.link.state === 'none') await dropRollout(daemon, app);
  const { spec, generation } = app;
  const stoppedSlots = [...app.stoppedSlots];
  const order = { spec, generation, home: daemon.paths.home, slots: app.slots, stoppedSlots };
  refuseWhenEnding(daemon);
  await app.link.launch(order);
  refuseWhenEnding(daemon);
  return app.link.request('start', { slots }, { report });
}

/**
 * A rollout ends with its primary. What starts now gets a generation of its own, by which a later
 * daemon can tell the two apart even if this could not be saved.
 * @param {Daemon} daemon
 * @param {App} app
 */
async function dropRollout({ table }, app) {
  if (app.rollout === null) return;
  app.rollout = null;
  app.generation += 1;
  await table.saveIfPossible();
}

/**
 * `kill` does not wait for its turn, so it may come while a primary is being launched.
 * @param {Daemon} daemon
 */
function refuseWhenEnding({ isEnding }) {
  if (isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
}
