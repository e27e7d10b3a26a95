/** What features do to an app without a command of the user, each in its turn among the commands on that app. */
import { NodeclusterError } from '../../errors/error.js';
import { reloadApp } from '../actions/replace.js';
import { scaleApp } from '../actions/scale.js';
import { slotsFor } from '../apps/slots.js';
import { authors } from '../apps/changes.js';
import { runInTurn } from './run-command.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 */

/** Apps with a reload that waits for a command. @type {WeakSet<App>} */
const waiting = new WeakSet();

/**
 * A reload in progress may have read the files before they changed, so another must follow it, but no second one.
 * @param {Daemon} daemon @param {App} app
 * @param {string} because also for daemon.log, as is what it throws
 * @param {() => {file?: string, reason?: string}} [begins] called when it does; file: whose change is the cause
 */
export async function reload(daemon, app, because, begins = () => ({})) {
  if (waiting.has(app)) return;
  waiting.add(app);
  await app.queue.whenDone();
  waiting.delete(app);
  if (app.stopped || app.deleted) return;
  daemon.log.info('reload.due', { app: app.name, because });
  const { reason, ...cause } = begins();
  try {
    await authors.run({ role: because, user: null, ...cause }, () =>
      runInTurn(daemon, app, {
        action: 'reload',
        reason,
        isAutomatic: true,
        run: (report) => reloadApp(daemon, app, { slots: null, spec: app.spec }, report),
      }),
    );
  } catch (thrown) {
    const reason = NodeclusterError.from(thrown).message;
    daemon.log.error('reload.refused', { app: app.name, reason });
  }
}

/**
 * @param {Daemon} daemon
 * @param {App} app
 * @param {number} count of workers
 * @param {{because: string, reason: string}} why because: as that of a reload
 */
export function scale(daemon, app, count, { because, reason }) {
  return authors.run({ role: because, user: null }, () =>
    runInTurn(daemon, app, {
      action: 'scale',
      reason,
      isAutomatic: true,
      run: (report) =>
        scaleApp(daemon, app, { slots: slotsFor(app.slots, count), spec: app.spec }, report),
    }),
  );
}
