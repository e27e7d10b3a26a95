/** Rolling reloads at given times (`cron_restart`). */
import { CronTimes } from '../../daemon/cron-times.js';
import { reload } from '../../daemon/control/verbs.js';

/** @import { MakeFeature } from '../../daemon/features.js' */

/** @type {MakeFeature} */
export function cron(daemon) {
  /** @type {Map<string, CronTimes>} by app */
  const all = new Map();
  return {
    sync(app) {
      const pattern = app.stopped || app.deleted ? null : app.spec.cronRestart;
      const current = all.get(app.name);
      if ((current?.pattern ?? null) === pattern) return;
      current?.stop();
      all.delete(app.name);
      if (pattern === null) return;
      const times = new CronTimes(pattern, Date.now());
      all.set(app.name, times);
      times.start(() => reload(daemon, app, 'cron_restart'));
      daemon.log.info('cron.set', { app: app.name, pattern, next: times.next?.toISOString() });
    },
    startsAgain: ({ spec }) => spec.cronRestart !== null,
  };
}
