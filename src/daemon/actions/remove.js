/** Deletes an app, or some of its workers. Log files stay. */
import { rm } from 'node:fs/promises';
import { scaleApp } from './scale.js';
import { saveThenStop, shutDownApp } from './stop.js';

/** @import { Action } from '../control/run-command.js' */

/** @type {Action} */
export async function removeApp(daemon, app, { slots }, report) {
  if (slots !== null) {
    const rest = app.slots.filter((slot) => !slots.includes(slot));
    const outcome = await scaleApp(daemon, app, { slots: rest, spec: app.spec }, report);
    return { ...outcome, done: slots };
  }
  const done = app.isDown ? [] : app.desiredSlots;
  app.deleting = true;
  const outcome = await shutDownApp(daemon, app, report);
  await rm(daemon.paths.app(app.name).dir, { recursive: true, force: true });
  daemon.table.remove(app);
  await saveThenStop(daemon, async () => {});
  return { ...outcome, ok: true, done };
}
