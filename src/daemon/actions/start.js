/** Workers where there are none: of a new app, of a stopped one, after the death of a primary. */
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Report, World } from '../control/world.js'
 */

/**
 * @param {World} world
 * @param {App} app
 * @param {number[] | null} slots that may start again; null: all
 * @param {Report} report
 * @param {() => void} [renew] what else changes of the app before it starts
 * @returns {Promise<PartialOutcome>}
 */
export async function startApp(world, app, slots, report, renew = () => {}) {
  await world.table.change(app, () => {
    renew();
    wantSlots(app, slots);
  });
  return bringUp(world, app, slots ?? app.slots, report);
}

/**
 * @param {App} app
 * @param {number[] | null} slots
 */
function wantSlots(app, slots) {
  if (slots === null || app.stopped) {
    const resumed = slots ?? app.slots;
    app.stoppedSlots = new Set(app.slots.filter((slot) => !resumed.includes(slot)));
  } else {
    for (const slot of slots) app.stoppedSlots.delete(slot);
  }
  app.stopped = false;
}

/**
 * @param {World} world
 * @param {App} app
 * @param {number[]} slots
 * @param {Report} report
 * @returns {Promise<PartialOutcome>}
 */
export async function bringUp(world, app, slots, report) {
  if (app.link.state === 'none') await dropAttempt(world, app);
  const { spec, generation } = app;
  const stoppedSlots = [...app.stoppedSlots];
  const order = { spec, generation, home: world.paths.home, slots: app.slots, stoppedSlots };
  refuseWhenEnding(world);
  await app.link.launch(order);
  refuseWhenEnding(world);
  return app.link.request('start', { slots }, { report });
}

/**
 * What it tried died with the primary. What starts now gets a number of its own, by which a later
 * daemon tells the two apart, also when this could not be written.
 * @param {World} world
 * @param {App} app
 */
async function dropAttempt({ table }, app) {
  if (app.attempt === null) return;
  app.attempt = null;
  app.generation += 1;
  await table.saveIfPossible();
}

/**
 * `kill` does not wait for its turn: it ends what runs or is being launched when it comes.
 * @param {World} world
 */
function refuseWhenEnding({ ending }) {
  if (ending) throw new NodeclusterError('E_DAEMON_ENDING');
}
