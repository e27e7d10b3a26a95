/** What happens at given times: rolling reloads (`cron_restart`), and rotations of log files. */
import { CronTimes } from '../../daemon/cron-times.js';
import { rotateLogs } from '../../daemon/actions/logs.js';
import { besideApps } from '../../daemon/features.js';
import { reload } from '../../daemon/control/verbs.js';

/**
 * @import { App } from '../../daemon/apps/app.js'
 * @import { Daemon } from '../../daemon/daemon.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 */

/** @type {MakeFeature} */
export const cron = (daemon) => {
  /** @type {WeakMap<App, CronTimes>} */
  const timesOf = new WeakMap();
  const reloads = besideApps(
    ({ spec: { cronRestart, timezone } }) => cronRestart && JSON.stringify([cronRestart, timezone]),
    (app) => {
      const pattern = String(app.spec.cronRestart);
      const times = new CronTimes(pattern, Date.now(), app.spec.timezone);
      times.start(() => reload(daemon, app, 'cron_restart'));
      timesOf.set(app, times);
      daemon.log.info('cron.set', { app: app.name, pattern, next: times.next?.toISOString() });
      return () => {
        times.stop();
        timesOf.delete(app);
      };
    },
  );
  const rotations = rotationsOf(daemon);
  return {
    sync(app) {
      reloads(app);
      rotations(app);
    },
    record(app) {
      const next = timesOf.get(app)?.next;
      return next ? { nextReloadAt: next.getTime() } : {};
    },
    startsAgain: ({ spec }) => spec.cronRestart !== null,
  };
};

/** @param {Daemon} daemon */
function rotationsOf(daemon) {
  return besideApps(
    ({ spec: { logRotate, timezone } }) =>
      logRotate?.rotate ? JSON.stringify([logRotate.rotate, timezone]) : null,
    (app) => {
      const times = new CronTimes(
        String(app.spec.logRotate?.rotate),
        Date.now(),
        app.spec.timezone,
      );
      times.start(() => void rotateLogs(daemon, app));
      return () => times.stop();
    },
  );
}
