/** What `reload` and `restart` do to a job: nothing runs before its time. */
import { isRunning } from './run.js';

/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { Action } from '../../../daemon/control/run-command.js'
 */

/**
 * A run in progress keeps what it was started with.
 * @type {Action<{spec: Spec}>}
 */
export async function renewJob(daemon, app, { spec }) {
  app.link.refuseUnknown();
  await daemon.table.change(app, () => {
    app.spec = spec;
    app.generation += 1;
  });
  return { ok: true };
}

/** A run in progress is stopped, and the next one is at its time. @type {Action<{spec: Spec}>} */
export async function resetJob(daemon, app, { spec }, report) {
  await renewJob(daemon, app, { spec }, report);
  return isRunning(app) ? app.request('stop', { slots: app.slots }, { report }) : { ok: true };
}
