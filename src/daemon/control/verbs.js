/**
 * What features get of the daemon, and nothing else: its apps, its log, and what they may do to an app without a command
 * of the user, each in its turn among the commands on that app. `authors` says which of them did it.
 */
import { NodeclusterError } from '../../errors/error.js';
import { rotateLogs } from '../actions/logs.js';
import { reloadApp } from '../actions/replace.js';
import { emptiesFirst, needsNewPrimary } from '../actions/replace-primary.js';
import { scaleApp } from '../actions/scale.js';
import { startSlots } from '../actions/start.js';
import { slotsFor } from '../apps/slots.js';
import { authors } from '../apps/changes.js';
import { progressTo, runInTurn } from './run-command.js';
import { resolveTargets } from './targets.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { CommandNotifications } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 * @import { EventHub } from '../events.js'
 *
 * @typedef {ReturnType<typeof doorTo>} Door
 */

/** @param {Daemon} daemon */
export function doorTo(daemon) {
  /** Apps with a reload that waits for a command. @type {WeakSet<App>} */
  const waiting = new WeakSet();
  return {
    home: daemon.paths.home,
    log: daemon.log,
    apps: () => daemon.table.all(),
    targets: (/** @type {string[]} */ selectors) => resolveTargets(daemon, selectors),
    usages: (/** @type {number[]} */ pids) => daemon.metrics.sample(pids),
    /** Whether a new worker with this spec can serve beside the old one. @param {App} app @param {Spec} spec */
    servesBeside: (app, spec) => !needsNewPrimary(app.spec, spec) && !emptiesFirst(app),
    publish: (/** @type {Parameters<EventHub['publish']>} */ ...event) =>
      daemon.events.publish(...event),
    rotateLogs: (/** @type {App} */ app) => rotateLogs(daemon, app),

    /**
     * A reload in progress may have read the files before they changed, so another must follow it, but no second one.
     * @param {App} app
     * @param {string} because also for daemon.log, as is what it throws
     * @param {() => {file?: string, reason?: string}} [begins] called when it does; file: whose change is the cause
     */
    async reload(app, because, begins = () => ({})) {
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
    },

    /**
     * @param {App} app
     * @param {number} count of workers
     * @param {{because: string, reason: string}} why because: as that of a reload
     */
    scale(app, count, { because, reason }) {
      return authors.run({ role: because, user: null }, () =>
        runInTurn(daemon, app, {
          action: 'scale',
          reason,
          isAutomatic: true,
          run: (report) =>
            scaleApp(daemon, app, { slots: slotsFor(app.slots, count), spec: app.spec }, report),
        }),
      );
    },

    /**
     * Runs an app on demand, with its primary if that does not run. It is done when the program has started.
     * @param {App} app
     * @param {string} reason
     * @param {Pick<RequestContext<CommandNotifications>, 'notify'>} [client] who asks for it; without one, a command before
     *   it may make it needless
     */
    run(app, reason, client) {
      return runInTurn(daemon, app, {
        action: 'run',
        reason,
        isAutomatic: client === undefined,
        report: client && progressTo(client),
        async run(report) {
          daemon.features.check(app, 'run', {});
          await startSlots(daemon, app, app.slots, report);
          const { spec, generation, slots } = app;
          const outcome = await app.request('restart', { spec, generation, slots }, { report });
          return { ...outcome, notes: undefined };
        },
      });
    },
  };
}
