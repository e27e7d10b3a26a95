/** Rolling reloads at given times (`cron_restart`). */
import { CronTimes } from '../../daemon/cron-times.js';
import { besideApps } from '../../daemon/features.js';
import { reload } from '../../daemon/control/verbs.js';

/**
 * @import { App } from '../../daemon/apps/app.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 */

/** @type {MakeFeature} */
export const cron = (daemon) => {
  /** @type {WeakMap<App, CronTimes>} */
  const timesOf = new WeakMap();
  return {
    sync: besideApps(
      ({ spec: { cronRestart, timezone } }) =>
        cronRestart && JSON.stringify([cronRestart, timezone]),
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
    ),
    record(app) {
      const next = timesOf.get(app)?.next;
      return next ? { nextReloadAt: next.getTime() } : {};
    },
    startsAgain: ({ spec }) => spec.cronRestart !== null,
  };
};
