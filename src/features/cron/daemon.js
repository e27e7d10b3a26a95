/** Rolling reloads at given times (`cron_restart`). */
import { CronTimes } from '../../daemon/cron-times.js';
import { besideApps } from '../../daemon/features.js';
import { reload } from '../../daemon/control/verbs.js';

/** @import { MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export const cron = (daemon) => ({
  sync: besideApps(
    ({ spec: { cronRestart, timezone } }) => cronRestart && JSON.stringify([cronRestart, timezone]),
    (app) => {
      const pattern = String(app.spec.cronRestart);
      const times = new CronTimes(pattern, Date.now(), app.spec.timezone);
      times.start(() => reload(daemon, app, 'cron_restart'));
      daemon.log.info('cron.set', { app: app.name, pattern, next: times.next?.toISOString() });
      return () => times.stop();
    },
  ),
  startsAgain: ({ spec }) => spec.cronRestart !== null,
});
