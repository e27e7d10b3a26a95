/** What triggers do to an app, each in its turn among the commands on that app. */
import { reloadApp, replaceWorkers } from '../actions/replace.js';
import { beginRun } from '../../features/jobs/daemon/run.js';
import { scaleApp } from '../actions/scale.js';
import { slotsFor } from '../apps/ids.js';
import { runInTurn } from '../control/run-command.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 * @import { ScaleTo } from './cores.js'
 * @import { ReportSkipped, RunJob } from '../../features/jobs/daemon/timetable.js'
 * @import { Reload } from './triggers.js'
 * @import { ReplaceWorkers } from '../../features/wear/daemon.js'
 */

/**
 * @param {() => Daemon} daemonOf
 * @returns {{reload: Reload, replaceWorkers: ReplaceWorkers, scale: ScaleTo, runJob: RunJob,
 *   skipRun: ReportSkipped}}
 */
export function triggerActions(daemonOf) {
  /** A command before it in the queue may have stopped the app. @param {App} app */
  const isDue = ({ stopped, deleted }) => !stopped && !deleted && !daemonOf().isEnding;
  return {
    reload: (app) =>
      runInTurn(daemonOf(), app, {
        action: 'reload',
        isDue: () => isDue(app),
        run: (report) => reloadApp(daemonOf(), app, { slots: null, spec: app.spec }, report),
      }),
    replaceWorkers: (app, workers, how) =>
      runInTurn(daemonOf(), app, {
        action: 'renew',
        reason: how,
        isDue: () => isDue(app),
        run: (report) => replaceWorkers(daemonOf(), app, { workers, how }, report),
      }),
    runJob: (app, reason) => beginRun(daemonOf(), app, { reason, isDue: () => isDue(app) }),
    skipRun: (app, reason) => daemonOf().events.publish(app, { type: 'job.skipped', reason }),
    scale: (app, count, reason) =>
      runInTurn(daemonOf(), app, {
        action: 'scale',
        reason,
        isDue: () => isDue(app),
        run: (report) =>
          scaleApp(daemonOf(), app, { slots: slotsFor(app.slots, count), spec: app.spec }, report),
      }),
  };
}
