/** An app, or some of its workers, are forgotten. Log files stay. */
import { rm } from 'node:fs/promises';
import { scaleTo } from './scale.js';
import { endApp, savedAndDone } from './stop.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Report, World } from '../control/world.js'
 */

/**
 * @param {World} world
 * @param {App} app
 * @param {number[] | null} slots null: all of it
 * @param {Report} report
 * @returns {Promise<PartialOutcome>}
 */
export async function removeApp(world, app, slots, report) {
  if (slots !== null) {
    const rest = app.slots.filter((slot) => !slots.includes(slot));
    const outcome = await scaleTo(world, app, rest, app.spec, report);
    return { ...outcome, done: slots };
  }
  const done = app.link.state === 'none' ? [] : app.wantedSlots;
  const outcome = await endApp(world, app, report);
  await rm(world.paths.app(app.name).dir, { recursive: true, force: true });
  world.table.remove(app);
  await savedAndDone(world, async () => {});
  return { ...outcome, ok: true, done };
}
